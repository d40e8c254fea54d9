from hypothesis import given
from hypothesis import strategies as st

from steadygrid.processes.frames import Frame, FrameReader, encode_frame

messages = st.lists(
    st.tuples(st.dictionaries(st.sampled_from("abc"), st.text(max_size=5)), st.binary(max_size=40))
)


@given(messages, st.lists(st.integers(1, 30)))
def test_frames_survive_any_cutting(
    sent: list[tuple[dict[str, str], bytes]], cuts: list[int]
) -> None:
    stream = b"".join(encode_frame(message, payload) for message, payload in sent)
    reader = FrameReader()
    received: list[Frame] = []
    for cut in cuts:
        received += reader.feed(stream[:cut])
        stream = stream[cut:]
    received += reader.feed(stream)
    assert received == sent
