"""A drawing in colours becomes one in lines."""

from ppgen.engine.drawing.rendering import to_line_drawing


def test_colours_become_white_lines_pale_and_shade_goes():
    house = ('<g stroke="#3B2A1E"><path d="M0 0H9V9Z" transform="translate(1 1)" fill="#3B2A1E" fill-opacity="1"/>'
             '<path d="M0 0H9V9Z" fill="#F1E4C6"/><path d="M0 4H9" stroke="#4E6599" stroke-opacity="1"/>'
             '<path d="M2 2H3V3Z" fill="#3A2C22" stroke="none"/>'
             '<path d="M0 9H9" fill="url(#sea)" stroke="#E6B83E"/></g>')
    assert to_line_drawing(drawing=house, line="#B9AB96") == (
        '<g stroke="#B9AB96"><path d="M0 0H9V9Z" fill="#FFFFFF"/><path d="M2 2H3V3Z" fill="#B9AB96" stroke="none"/>'
        '<path d="M0 9H9" fill="#FFFFFF" stroke="#FFFFFF"/></g>')


def test_a_tag_that_holds_others_stays_though_it_has_an_opacity():
    group = '<g fill-opacity="0.5"><path fill="#FFFFFF"/></g>'
    assert to_line_drawing(drawing=group, line="#B9AB96") == group
