-- One schema for every host, so that a session begun in one can be carried on in another.
-- `PRAGMA user_version` is 1; a host refuses a file with a higher one.
CREATE TABLE IF NOT EXISTS waybread_log (
    session  TEXT    NOT NULL,
    position INTEGER NOT NULL, -- from 0, without gaps
    record   TEXT    NOT NULL, -- one event, as JSON; only the component reads it
    PRIMARY KEY (session, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waybread_text (
    session TEXT NOT NULL,
    id      TEXT NOT NULL, -- as the model sees it: #0012
    text    TEXT NOT NULL, -- in full
    PRIMARY KEY (session, id)
);
