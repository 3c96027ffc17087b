"""What answers look like, for the OpenAPI page: made from the dataclasses of the replies."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, create_model

from sarsen.language import replies
from sarsen.language.replies import Reply


@cache
def shape_of(kind: type) -> type[BaseModel]:
    """Return the model of what `replies.encode` makes of a dataclass."""
    if kind is replies.Answer:
        # A command and what came of it, which may be any reply: not spelled out once more.
        made = {"kind": Literal["Answer"], "line": str, "reply": dict[str, Any]}
        return _model("LineAnswer", "", made)
    hints = get_type_hints(kind)
    made = {one.name: _type(hints[one.name]) for one in fields(kind)}
    said = (kind.__doc__ or "").partition("\n")[0]
    return _model(kind.__name__, said, {"kind": Literal[kind.__name__], **made})


def _model(name: str, said: str, made: dict[str, Any]) -> type[BaseModel]:
    model: type[BaseModel] = create_model(name, __doc__=said, **made)
    return model


def _type(kind: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return shape_of(kind)
    if isinstance(kind, UnionType):
        parts = [None if one is NoneType else _type(one) for one in get_args(kind)]
        return Union[tuple(parts)]  # noqa: UP007 (made of a list)
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return list[_type(inner[0])]  # type: ignore[misc]
        return tuple[tuple(map(_type, inner))]  # type: ignore[misc]
    return kind


_KINDS = tuple(shape_of(kind) for kind in get_args(Reply))
AnyReply = Annotated[Union[_KINDS], Field(discriminator="kind")]  # type: ignore[valid-type] # noqa: UP007


class Answer(BaseModel):
    """What came of a command: in words, as at every door, and as facts."""

    text: str
    reply: AnyReply
