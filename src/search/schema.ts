// The tables of the index. Everything in them is derived from transcripts and can be made again, so there is no step from
// one shape to another that could lose something. Migrations only add; whoever finds a newer shape sets the file aside.

import { NOTHING_READ } from './file-state.ts'

/** Tells our file from any other SQLite file. */
export const APPLICATION_ID = 0x636c6577

/** Each is run once, in order; `user_version` counts them. Never changed, only added to. */
export const MIGRATIONS: readonly string[] = [
  `
-- Whether a first build was under way when this was last written, and the like.
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- A transcript, and how far it has been read. Rows of files that were deleted stay, with the time they were missed.
CREATE TABLE file(
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  project_key TEXT NOT NULL,
  role TEXT NOT NULL,
  session_id TEXT,
  agent_id TEXT,
  identity TEXT NOT NULL,
  size INTEGER NOT NULL,      -- as it was when it was last read to its end; -1 until then
  modified_ms REAL NOT NULL,
  gone_ms INTEGER,
  records INTEGER NOT NULL,   -- up to the Watermark
  state TEXT NOT NULL,        -- FileState at the Watermark, as JSON
  tail TEXT                   -- what a last line without a line end adds, as JSON
) STRICT;
CREATE INDEX file_by_session ON file(session_id);

-- Envelopes, a fixed number to the page.
CREATE TABLE page(
  file INTEGER NOT NULL,
  number INTEGER NOT NULL,
  envelopes BLOB NOT NULL,
  PRIMARY KEY(file, number)
) STRICT, WITHOUT ROWID;

-- A record with words in it. The id is also the rowid in said and done, and grows with time.
CREATE TABLE doc(
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  record INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  copy_key INTEGER NOT NULL,  -- equal for copies of one record
  ms INTEGER,
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT;
CREATE INDEX doc_by_copy ON doc(copy_key);

CREATE TABLE tool_call(
  file INTEGER NOT NULL,
  record INTEGER NOT NULL,
  number INTEGER NOT NULL,    -- among the calls of the record
  call_id TEXT NOT NULL,
  name TEXT NOT NULL,
  command TEXT,
  files TEXT,                 -- JSON: [{path, action}]
  PRIMARY KEY(file, record, number)
) STRICT, WITHOUT ROWID;

-- Two tables, so that what somebody said is found without walking over all that tools have printed.
CREATE VIRTUAL TABLE said USING fts5(prompt, reply, thinking,
  content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE done USING fts5(tools, files, commands, output,
  content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE titled USING fts5(title,
  content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");

-- A folder of transcripts as it was last woven; the stamp says from which files.
CREATE TABLE project(
  id INTEGER PRIMARY KEY,
  root TEXT NOT NULL,
  project_key TEXT NOT NULL,
  stamp TEXT NOT NULL,
  UNIQUE(root, project_key)
) STRICT;

-- What a list shows of a conversation, and which Turn each record of its file belongs to.
CREATE TABLE conversation(
  project INTEGER NOT NULL,
  file INTEGER NOT NULL,
  summary TEXT NOT NULL,
  models TEXT NOT NULL,
  git_branches TEXT NOT NULL,
  turns BLOB NOT NULL,
  PRIMARY KEY(project, file)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_by_file ON conversation(file);
`,
  `
-- A Turn is asked for the docs it has, and a file that was rewritten drops its own.
CREATE INDEX doc_by_file ON doc(file, record);
-- Ids are asked for by their beginning, in either case.
CREATE INDEX file_by_session_prefix ON file(session_id COLLATE NOCASE);
CREATE INDEX file_by_agent_prefix ON file(agent_id COLLATE NOCASE);
`,
  `
-- What records say about tokens, a fixed number to the page: the accounts need nothing else of a transcript.
CREATE TABLE usage_page(
  file INTEGER NOT NULL,
  number INTEGER NOT NULL,
  records BLOB NOT NULL,
  PRIMARY KEY(file, number)
) STRICT, WITHOUT ROWID;
-- All files are read again. What is known of deleted ones stays, without their tokens.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}';
`,
  `
-- The API messages of an archive, folded and ready to be added up, while no file of it has changed.
CREATE TABLE ledger(
  id INTEGER PRIMARY KEY,
  roots TEXT NOT NULL UNIQUE, -- of the archive, as JSON
  stamp TEXT NOT NULL,        -- from which files
  gone_files INTEGER NOT NULL,
  messages BLOB NOT NULL
) STRICT;
CREATE INDEX file_gone ON file(gone_ms) WHERE gone_ms IS NOT NULL;
`,
  `
-- The live Branch of a conversation as Rows, by the number of its file; the stamp says from which files it was made.
CREATE TABLE layout(
  file INTEGER PRIMARY KEY,
  stamp TEXT NOT NULL,
  head TEXT NOT NULL,         -- LayoutHead, as JSON
  turns BLOB NOT NULL
) STRICT;
CREATE TABLE layout_page(
  file INTEGER NOT NULL,
  number INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY(file, number)
) STRICT, WITHOUT ROWID;
-- Who goes on from a conversation is asked whenever one is opened.
CREATE INDEX conversation_by_continues ON conversation(summary ->> '$.continues');
CREATE INDEX conversation_by_fork ON conversation(summary ->> '$.forkOf');
-- Every project is woven again, which makes the layouts.
UPDATE project SET stamp = '';
`,
  `
-- Words are merged behind an ingest and not within its commits (tuning.ts).
INSERT INTO said(said, rank) VALUES('automerge', 0);
INSERT INTO done(done, rank) VALUES('automerge', 0);
INSERT INTO titled(titled, rank) VALUES('automerge', 0);
`,
  `
-- Less of long outputs is words: all files that are still there are read again, and all projects woven. What is known of
-- deleted ones stays as it is.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
`,
  `
-- Pages are columns now. Those that are there are read as they are; who cannot read the new ones finds a newer shape.
SELECT 1;
`,
  `
-- Rows of Layouts are stored as they are: every project is woven again, which makes them anew.
UPDATE project SET stamp = '';
`,
  `
-- What is said while a session leads a team belongs to it: all files that are still there are read again, all projects
-- woven and all accounts made. What is known of deleted ones stays as it is.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
DELETE FROM ledger;
`,
  `
-- Labels say more of what a conversation is called; which calls were refused, and what older clients wrote that is no
-- prompt, is read from their words; some forks are continuations; and when anything about a file was last changed is
-- known. All files that are still there are read again, all projects woven and all accounts made. What is known of
-- deleted ones stays as it is.
ALTER TABLE file ADD COLUMN changed_ms REAL NOT NULL DEFAULT 0;
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
DELETE FROM ledger;
`,
  `
-- The event-log dialect says where a session began in a field of its own, a session goes on from what the one before it had
-- said by then, a plan that was accepted is no prompt, calls say what kind of Subagent they start, and where a client goes on
-- from behind a compaction is another record. All files that are still there are read again, all projects woven and all
-- accounts made. What is known of deleted ones stays as it is.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
DELETE FROM ledger;
`,
  `
-- All words of a plan that was accepted and of a Recap count, commands in system records have no tags, a conversation says in
-- which dialect it is written, a compaction how many tokens it saved, and flat agent files are of the session that they end
-- in. What came before a compaction that names a record in no file is found where it was copied from. All files that are
-- still there are read again, and all projects woven. What is known of deleted ones stays as it is.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
DELETE FROM ledger;
`,
  `
-- The index of a build that was made before some of these steps became one says that it has taken this one.
SELECT 1;
`,
  `
-- All paths that a record touches are words, attached files are touched, and what earlier steps tell of was added to them
-- while there were indexes that had taken them. All files that are still there are read again, all projects woven and all
-- accounts made. What is known of deleted ones stays as it is.
UPDATE file SET size = -1, modified_ms = 0, records = 0, tail = NULL, state = '${JSON.stringify(NOTHING_READ)}'
  WHERE gone_ms IS NULL;
UPDATE project SET stamp = '';
DELETE FROM ledger;
`,
]
