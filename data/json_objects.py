"""JSON Lines: one object a line.

>>> parse_object('{"text": "hola"}')
{'text': 'hola'}
"""

from __future__ import annotations

import json
from typing import Any

from glyphone.data.errors import ItemError
from glyphone.data.lines import is_text


def parse_object(line: str) -> dict[str, Any]:
    """The object in a line; ItemError if it is no JSON, or another value."""
    remedy = "write one JSON object a line"
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ItemError(f"is no JSON: {error}", remedy=remedy) from None
    except RecursionError:
        raise ItemError("is no JSON: it is nested too deeply", remedy=remedy) from None
    if not isinstance(fields, dict):
        raise ItemError("is no JSON object", remedy=remedy)
    # An escape can stand for half a surrogate pair, which no UTF-8 file can hold.
    if "\\u" in line and not is_text(json.dumps(fields, ensure_ascii=False)):
        raise ItemError("has half a surrogate pair", remedy="write whole characters")
    return fields
