import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ctxsieve.pipeline.framing import Style, frame

XML_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\n\t"))
HOSTILE = st.lists(st.sampled_from(["=", "`", "\n", "a", " ", "]]>", "</file>", "<"]), max_size=40).map("".join)


@given(content=st.one_of(XML_TEXT, HOSTILE), path=st.sampled_from(["a.py", "b/c d.rs", "x\ny.js", "=== z"]))
def test_no_content_forges_a_header(content: str, path: str) -> None:
    text = frame(Style.TEXT, path=path, mode="full", language=None, content=content)
    fence = re.match(r"=+", text)
    assert fence is not None
    assert [line for line in text.split("\n") if line.startswith(fence[0])] == [text.split("\n")[0]]


@given(content=st.one_of(XML_TEXT, HOSTILE))
def test_no_content_closes_a_markdown_fence(content: str) -> None:
    text = frame(Style.MARKDOWN, path="a.py", mode="full", language="python", content=content)
    fence = re.search(r"^`+", text, re.MULTILINE)
    assert fence is not None
    closers = [line for line in text.split("\n") if line.strip() and set(line.strip()) == {"`"}]
    assert [line for line in closers if len(line.strip()) >= len(fence[0])] == [fence[0]]


@given(content=st.one_of(XML_TEXT, HOSTILE))
def test_xml_gives_the_content_back(content: str) -> None:
    text = frame(Style.XML, path='a"<&>.py', mode="full", language=None, content=content)
    element = ElementTree.fromstring(text)
    assert element.get("path") == 'a"<&>.py'
    expected = content if content.endswith("\n") or not content else content + "\n"
    assert element.text == "\n" + expected.replace("\r\n", "\n")
