"""The page that shows the table: what the referee believes, as the camera sees the board.

words      every text of the page
view       View: what the page shows; reduce(view, event) -> view
feed       Feed: the thread-safe hub between the referee's thread and the page
layout     where points, bar and trays lie in the drawing
board_svg  the board, drawn
page       a view as HTML, in parts that are replaced one by one
streams    open event streams of viewers
guard      which names the page answers to, and the headers that keep it safe
app        create_app(feed): the routes
server     Server: uvicorn in a thread
"""
