"""The rules of Waybread a second time: slow, plain, and written from the documents alone.

Nothing here was read off the component. Where the two differ, the documents decide.
"""
