"""Hanzi that names are transcribed with: the inventory, its pinyin, and its traditional forms.

Foreign names are written with a few hundred characters, chosen for sound and for want of meaning.
SYLLABLES has them by the syllable of Standard Chinese that they stand for. They are those of the
transcription tables of Xinhua's "Names of the World's Peoples" (Shijie renming fanyi dacidian,
1993), with those for names of women (娜 娅 莎 丽 against 纳 亚 沙 里), those of names that were in
use before there were tables (莎士比亚, 哥伦布), and those usual in Taiwan, in Hong Kong, or on the
stage (芮 菈 黛 妲). Nothing else is in a text that a rule here lets pass, so that a model that is
kept to INVENTORY cannot write a character that it knows from one odd name of its training data.
Of the names in a mined development set, some of them Chinese or Japanese, 94 % need no other.

    CLEAN           simplified or traditional characters to those of INVENTORY, which are simplified
    TO_TRADITIONAL  INVENTORY to the traditional characters that names have, one for one in place
    TO_PINYIN       INVENTORY to syllables without tones, for comparing homophones (波 伯 博: bo)

All three are functions, and have an output for every text of their characters. Any other character
is refused because it is not in the alphabet: other hanzi, Latin letters, digits, kana, and what
parts names (· and its kind), at which they are cut before they come here.

TO_TRADITIONAL and CLEAN are inverses but for the characters of VARIANTS, which CLEAN reads too.
A character is made traditional as names have it: 里 范 谷 干 are not 裡 範 穀 幹. That is a change
of letters only; names that Taiwan transcribes otherwise (川普 for 特朗普) stay what they are.

The readings are those of transcription, where a character has several: 阿 a, 伽 jia, 曾 zeng,
茜 xi, 佛 fo, 柏 bo, 什 shi. Tests compare them with the package pypinyin.

>>> from glyphone.fst.rules.interpreter import run
>>> [way] = run(CLEAN, tuple("愛因斯坦"))
>>> "".join(way.output), " ".join(run(TO_PINYIN, way.output)[0].output)
('爱因斯坦', 'ai yin si tan')
"""

from __future__ import annotations

from glyphone.data.writing import Writing
from glyphone.fst.rules.cascade import cascade, table_of

SYLLABLES = """
a 阿啊  ai 艾埃爱  an 安  ang 昂盎  ao 奥澳敖  ou 欧  e 厄额俄娥鄂谔  en 恩  er 尔儿耳
ba 巴芭拔  bai 拜白  ban 班  bang 邦  bao 保鲍宝包葆堡  bei 贝蓓倍北  ben 本  bi 比彼毕碧俾庇
biao 彪  bie 别  bin 宾斌滨  bing 冰  bo 波博伯柏勃玻泊  bu 布卜
pa 帕  pai 派  pan 潘  pang 庞  pei 佩裴培沛  peng 彭蓬  pi 皮匹丕  pin 品  ping 平萍
po 珀坡破  pu 普浦蒲朴
ma 马玛麻  mai 迈麦买  man 曼满蔓  mang 芒  mao 毛茂  mei 梅美媚  men 门  meng 蒙孟梦
mi 米密弥蜜  miao 妙苗  min 敏民闵  ming 明  miu 缪  mo 莫默摩墨末  mou 牟  mu 穆姆木慕
fa 法  fan 凡范梵番  fang 方芳  fei 费菲斐妃非霏腓  fen 芬  feng 丰冯封  fo 佛
fu 福弗夫富芙傅孚伏甫浮
da 达大妲  dai 黛戴代岱  dan 丹旦但  dang 当  dao 道  de 德得  deng 登邓  di 迪蒂狄帝底笛荻娣地第
dian 典  die 迭  ding 丁定  dong 东栋冬  du 杜都度笃  dun 敦顿墩  duo 多朵铎
ta 塔他  tai 泰台太苔  tan 坦谭檀  tang 唐汤堂  tao 陶  te 特  teng 滕腾  ti 提缇悌  tian 田
tie 铁帖  ting 廷婷亭汀  tong 通同  tu 图土徒吐屠  tun 屯吞  tuo 托脱陀妥
na 纳娜那拿  nai 奈乃  nan 南楠  nao 瑙  nei 内  nen 嫩  neng 能  ni 尼妮倪  nian 年
nie 涅聂  ning 宁  niu 纽牛钮  nong 农侬  nu 努  nü 女  nuo 诺挪
la 拉腊喇菈  lai 莱赖来  lan 兰蓝  lang 朗郎  lao 劳老  le 勒乐  lei 雷蕾  leng 楞
li 利里丽莉立李理黎力礼历  lian 连莲廉  liang 良  liao 廖辽  lie 列烈  lin 林琳霖  ling 玲灵令凌
liu 柳留刘流  long 龙隆  lou 娄楼  lu 卢鲁路露芦陆禄  lun 伦仑  luo 罗洛萝络  lü 吕律  lüe 略
ga 嘎噶  gai 盖该  gan 甘干  gang 冈刚岗  gao 高告  ge 格戈葛歌各哥  gen 根  geng 耿更
gong 贡龚宫  gu 古顾谷  gua 瓜  guan 关  guang 广  gui 圭桂  guo 果郭
ka 卡喀  kai 凯开恺  kan 坎堪  kang 康  kao 考  ke 克科柯可珂  ken 肯  kong 孔  kou 寇蔻
ku 库  kua 夸  kuan 宽  kuang 匡  kui 奎葵  kun 昆坤  kuo 阔
ha 哈  hai 海亥  han 汉翰罕韩汗  hang 杭  hao 豪郝浩皓  he 赫荷贺何和诃  hei 黑  heng 亨恒
hong 洪宏红  hou 侯  hu 胡呼湖  hua 华花  huai 怀  huan 环欢  huang 黄璜  hui 惠辉会慧
huo 霍
ji 基吉季姬及济纪几  jia 加贾佳嘉伽迦  jian 简坚  jiang 江姜  jiao 焦  jie 杰洁捷婕  jin 金津
jing 京晶静  jiu 久鸠  ju 居  juan 娟  jun 君军
qi 奇齐琪其契祁启绮琦  qia 恰  qian 钱千倩  qiang 强  qiao 乔  qie 切  qin 钦琴秦芹沁
qing 青庆  qiong 琼  qiu 丘邱秋裘  qu 曲屈区  quan 全泉
xi 西希锡席茜喜熙悉曦  xia 夏  xian 先贤咸  xiang 香  xiao 肖萧晓  xie 谢歇  xin 辛欣新
xing 兴星  xiong 雄  xiu 休修  xu 许叙徐旭  xuan 宣  xue 雪薛  xun 逊
zha 扎  zhai 翟  zhan 詹占  zhang 章张  zhe 哲  zhen 真珍贞  zhi 芝志治  zhong 仲
zhou 宙  zhu 朱茱  zhuo 卓
cha 查察  chai 柴  chang 昌  che 车彻  chen 陈  cheng 成程  chu 楚初  chuan 川
chun 春
sha 沙莎纱  shan 珊山善姗  shang 尚  shao 绍邵  she 舍社  shen 申沈  sheng 圣盛胜生
shi 史什士施石世诗  shu 舒术叔  shuai 帅  shun 顺  shuo 朔
ran 然  rang 让  rao 饶  re 热  ren 任仁  ri 日  rong 荣容  rou 柔  ru 茹儒
rui 瑞锐蕊芮  run 润  ruo 若
zai 宰  zan 赞  zang 藏  zao 藻  ze 泽  zeng 曾增  zi 兹子  zong 宗  zou 邹  zu 祖
zuo 佐左
cai 蔡采才  can 灿  cang 仓  cao 曹  ce 策  cen 岑  ci 茨慈  cong 聪从  cui 崔翠
cun 村  cuo 措
sa 萨撒  sai 赛塞  san 三  sang 桑  se 色瑟  sen 森  si 斯丝思司  song 松宋  su 苏素稣
sun 孙荪  suo 索梭所
ya 亚雅娅  yan 延颜燕嫣  yang 扬杨洋  yao 尧姚瑶  ye 耶叶  yi 伊易依以义怡逸宜  yin 因茵殷音隐
ying 英莹  yong 永雍  you 尤优由犹  yu 于余玉裕宇雨  yuan 元袁  yue 约月越  yun 云
wa 瓦娃  wan 万婉  wang 旺汪王  wei 维威韦薇魏卫伟崴  wen 文温雯  weng 翁  wo 沃渥  wu 伍乌武吴屋
"""

# Simplified and traditional in turn, of the characters that differ in names.
TRADITIONAL = """
爱愛 奥奧 欧歐 额額 尔爾 儿兒 鲍鮑 宝寶 贝貝 毕畢 别別 宾賓 庞龐 马馬 玛瑪 迈邁 麦麥 买買 满滿
门門 梦夢 弥彌 缪繆 费費 丰豐 冯馮 达達 当當 邓鄧 东東 栋棟 顿頓 铎鐸 谭譚 汤湯 腾騰 缇緹 铁鐵
图圖 脱脫 纳納 内內 聂聶 宁寧 纽紐 钮鈕 农農 诺諾 腊臘 莱萊 赖賴 来來 兰蘭 蓝藍 劳勞 丽麗 礼禮
连連 莲蓮 灵靈 刘劉 龙龍 娄婁 楼樓 卢盧 鲁魯 芦蘆 陆陸 伦倫 仑侖 罗羅 萝蘿 络絡 吕呂 盖蓋 冈岡
刚剛 岗崗 贡貢 龚龔 宫宮 顾顧 关關 广廣 凯凱 开開 库庫 宽寬 阔闊 汉漢 韩韓 贺賀 恒恆 红紅 华華
怀懷 环環 欢歡 黄黃 辉輝 会會 济濟 纪紀 贾賈 简簡 坚堅 洁潔 静靜 军軍 齐齊 启啟 钱錢 强強 乔喬
钦欽 庆慶 琼瓊 锡錫 贤賢 萧蕭 谢謝 兴興 许許 叙敘 逊遜 张張 贞貞 车車 彻徹 陈陳 绍紹 圣聖 胜勝
诗詩 术術 帅帥 顺順 让讓 饶饒 热熱 荣榮 锐銳 润潤 赞贊 泽澤 兹茲 邹鄒 灿燦 仓倉 聪聰 从從 萨薩
赛賽 丝絲 苏蘇 孙孫 亚亞 娅婭 颜顏 扬揚 杨楊 尧堯 叶葉 义義 莹瑩 优優 约約 云雲 万萬 维維 韦韋
卫衛 伟偉 温溫 乌烏 吴吳 杰傑 侬儂 闵閔 荪蓀 恺愷 绮綺 纱紗 诃訶 笃篤 瑶瑤 乐樂 稣穌 区區 滨濱
该該 隐隱 犹猶 几幾 禄祿 晓曉 历歷 鸠鳩 谔諤 辽遼 姗姍
"""

# Other traditional forms and what they are in the inventory, in turn; CLEAN reads them too.
VARIANTS = """
臺台 裡里 裏里 範范 啓启 穀谷 鬆松 於于 眞真 靑青 衞卫 敍叙 曆历
"""


def character_table(text: str) -> dict[str, str]:
    """A table of characters of a text, each with the character behind it.

    >>> character_table("爱愛奥奧")
    {'爱': '愛', '奥': '奧'}
    """
    characters = "".join(text.split())
    return dict(zip(characters[::2], characters[1::2], strict=True))


ROWS = SYLLABLES.split()
PINYIN = {
    hanzi: syllable for syllable, row in zip(ROWS[::2], ROWS[1::2], strict=True) for hanzi in row
}
INVENTORY = tuple(PINYIN)
TO_OTHERS = character_table(TRADITIONAL)
FROM_OTHERS = character_table(VARIANTS) | {other: hanzi for hanzi, other in TO_OTHERS.items()}

ANY_FORM = Writing(normal_form="NFKC")
TEXT = Writing()

CLEAN = cascade(
    letters=[*INVENTORY, *FROM_OTHERS],
    phones=INVENTORY,
    source=ANY_FORM,
    target=TEXT,
    rules=table_of(FROM_OTHERS, kept=INVENTORY),
)

TO_TRADITIONAL = cascade(
    letters=INVENTORY,
    phones=[TO_OTHERS.get(hanzi, hanzi) for hanzi in INVENTORY],
    source=ANY_FORM,
    target=TEXT,
    rules=table_of({hanzi: TO_OTHERS.get(hanzi, hanzi) for hanzi in INVENTORY}),
)

TO_PINYIN = cascade(
    letters=INVENTORY,
    phones=dict.fromkeys(PINYIN.values()),
    source=ANY_FORM,
    rules=table_of({hanzi: [syllable] for hanzi, syllable in PINYIN.items()}),
)
