export const wordpressProblemTexts = {
  IMPORT_BROKE: 'Internal error; the site was not changed',
  IMPORT_INTERRUPTED: 'The panel stopped while this was {{step}}; the site was not changed. Import again',
  IMPORT_NOT_KEPT: 'The unpacked files were removed from {{directory}}',
  UPLOAD_CUT_OFF: 'The upload was interrupted; upload again',
  UPLOAD_TOO_SLOW: 'The upload took too long; upload again',
  UPLOAD_TOO_LARGE: 'The archive is larger than the limit of {{megabytes}} MB',
  UPLOAD_NOT_WHOLE: 'The form is incomplete or invalid',
  PROJECT_GONE: 'The project was deleted in the meantime',
  DATABASE_GONE: 'The database no longer exists',
  DATABASE_GONE_MEANWHILE: 'The database was deleted in the meantime; the site was not changed',
  DATABASE_LINKED_MEANWHILE: 'The database was linked to another project in the meantime; the site was not changed',
  DATABASE_OF_OTHER_PROJECT: 'This database belongs to another project; unlink it there first',
  DATABASE_NOT_YOURS:
    'These credentials do not match a MySQL database of yours on this server; create one, or leave the fields empty',
  DATABASE_IMMOVABLE: 'The database has views or triggers, which cannot be moved aside ({{names}}); drop them first',
  VARIABLES_BY_HAND: 'The project has its own variables {{names}}; delete them first, so that the import can set them',
  NO_SITE_IN_ARCHIVE:
    'The archive contains no WordPress: neither wp-includes/version.php nor wp-content was found, at its root or in a folder such ' +
    'as public_html',
  SEVERAL_SITES: 'The archive contains several sites ({{paths}}); pack only one',
  ARCHIVE_UNREADABLE: 'The archive could not be unpacked: {{problem}}.',
  ARCHIVE_TOO_LARGE: 'The archive is larger than {{bytes}} bytes when unpacked.',
  ARCHIVE_OF_TOO_MANY: 'The archive has more than {{max}} entries.',
  NO_DUMP: 'The archive contains no database dump: add one next to the files, as database.sql or .sql.gz',
  TOO_MANY_DUMPS:
    'The archive contains more than {{max}} dumps; put the site’s dump next to its files, as {{name}}, or remove the others',
  NO_DUMP_OF_SITE: 'No dump in the archive creates WordPress tables: a table whose name ends in options is required',
  SEVERAL_DUMPS_OF_SITE: 'Several dumps in the archive create WordPress tables ({{names}}); include only one',
  DUMPS_TOO_LARGE: 'The dumps are larger than {{megabytes}} MB when unpacked',
  DUMP_NOT_PACKED_WELL: 'The dump is not a valid gzip file',
  DUMP_ENDS_INSIDE: 'The dump cannot be loaded: it ends in the middle of a string or comment (line {{line}})',
  DUMP_MIXED_STATEMENT: 'The dump cannot be loaded: it contains a compound statement (line {{line}})',
  DUMP_BACKSLASH:
    'The dump cannot be loaded: it contains a backslash outside of a string, like a client command (line {{line}})',
  DUMP_COMMENT_ENDS: 'The dump cannot be loaded: a comment ends that was not opened (line {{line}})',
  DUMP_LONG_WORD: 'The dump cannot be loaded: it contains a word that is too long (line {{line}})',
  DUMP_LONG_STATEMENT: 'The dump cannot be loaded: it contains a statement that is too long (line {{line}})',
  DUMP_PLACE_ON_DISK: 'The dump cannot be loaded: it sets the location of a table on disk (line {{line}})',
  DUMP_SETTING: 'The dump cannot be loaded: it sets an option that a site does not need: {{statement}} (line {{line}})',
  DUMP_STATEMENT:
    'The dump cannot be loaded: it contains a statement that a site does not need: {{statement}} (line {{line}})',
  DUMP_TEMPORARY_TABLE: 'The dump cannot be loaded: it creates a temporary table (line {{line}})',
  DUMP_SEVERAL_DATABASES:
    'The dump cannot be loaded: it contains several databases ({{databases}}); export only one (line {{line}})',
  DUMP_REFUSED: 'The database server rejected the dump: {{answer}}',
  DUMP_NOT_LOADED: 'The dump could not be loaded: {{problem}}',
  DUMP_MADE_PROGRAMS: 'The dump created triggers, views, stored routines or events ({{names}}); export only the tables',
  DATABASE_SERVER_REFUSED: 'The database server rejected the request: {{answer}}',
  DATABASE_SERVER_CLOSED: 'The database server rejects connections; try again later',
  NO_TABLES_OF_SITE: 'The dump has no WordPress tables: options, posts and users with the same prefix',
  NETWORK_OF_SITES: 'The dump contains a multisite network; export a single site',
  TABLES_OF_SEVERAL_SITES:
    'The dump has the tables of several sites ({{prefixes}}), and no wp-config.php says which one to use',
  TABLE_PREFIX: 'The table prefix may only contain letters, digits and _: {{prefix}}'
} as const
export type WordpressProblemCode = keyof typeof wordpressProblemTexts

export const wordpressNoteTexts = {
  TRIGGER: 'Not imported: a trigger',
  TRIGGERS: 'Not imported: {{count}} triggers',
  VIEW: 'Not imported: a view',
  VIEWS: 'Not imported: {{count}} views',
  EVENT: 'Not imported: an event',
  EVENTS: 'Not imported: {{count}} events',
  ROUTINE: 'Not imported: a stored routine',
  ROUTINES: 'Not imported: {{count}} stored routines',
  MALFORMED_TEXTS: 'Not changed: texts that look serialized but that PHP cannot read ({{count}})',
  LARGE_ROWS: 'Not changed: rows that are too large for replacing the address ({{count}})'
} as const
export type WordpressNoteCode = keyof typeof wordpressNoteTexts
