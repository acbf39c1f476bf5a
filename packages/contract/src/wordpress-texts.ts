/** Why a WordPress was not imported. */
export const wordpressProblemTexts = {
  IMPORT_BROKE: 'Internal error; the site is unchanged',
  IMPORT_INTERRUPTED: 'The panel stopped while this was {{step}}; the site is as it was. Import again',
  IMPORT_NOT_KEPT: 'What was unpacked has been removed from {{directory}}',
  UPLOAD_CUT_OFF: 'The upload was cut off; send it again',
  UPLOAD_TOO_SLOW: 'The upload took too long; send it again',
  UPLOAD_TOO_LARGE: 'The archive has more than the {{megabytes}} MB that it may have here',
  UPLOAD_NOT_WHOLE: 'The form is not complete, or not a form',
  PROJECT_GONE: 'The project was deleted meanwhile',
  DATABASE_GONE: 'The database no longer exists',
  DATABASE_GONE_MEANWHILE: 'The database was deleted meanwhile; the site is as it was',
  DATABASE_LINKED_MEANWHILE: 'The database was linked to another project meanwhile; the site is as it was',
  DATABASE_OF_OTHER_PROJECT: 'This database belongs to another project; unlink it there first',
  DATABASE_NOT_YOURS:
    'These are not the credentials of a MySQL database of yours on this server; create one, or leave the fields out',
  DATABASE_IMMOVABLE: 'The database has views or triggers, which cannot be put aside ({{names}}); drop them first',
  VARIABLES_BY_HAND: 'The project has {{names}}, set by hand; delete them first, so that the import can set them',
  NO_SITE_IN_ARCHIVE:
    'There is no WordPress in the archive: neither wp-includes/version.php nor wp-content was found, at its top or in a directory such as public_html',
  SEVERAL_SITES: 'There are several sites in the archive ({{paths}}); pack one alone',
  ARCHIVE_UNREADABLE: 'The archive cannot be unpacked: {{problem}}.',
  ARCHIVE_TOO_LARGE: 'The archive has more than {{bytes}} bytes unpacked.',
  ARCHIVE_OF_TOO_MANY: 'The archive has more than {{max}} entries.',
  NO_DUMP: 'There is no dump of the database in the archive: put one beside the files, as database.sql or .sql.gz',
  TOO_MANY_DUMPS:
    'There are more than {{max}} dumps in the archive; put that of the site beside its files, as {{name}}, or leave the others out',
  NO_DUMP_OF_SITE:
    'No dump in the archive makes the tables of a WordPress: a table whose name ends in options was looked for',
  SEVERAL_DUMPS_OF_SITE: 'Several dumps in the archive make the tables of a WordPress ({{names}}); pack one alone',
  DUMPS_TOO_LARGE: 'The dumps have more than {{megabytes}} MB when they are unpacked',
  DUMP_NOT_PACKED_WELL: 'The dump is not well packed: gunzip does not read it',
  DUMP_ENDS_INSIDE: 'The dump cannot be loaded: it ends in the middle of a text or a comment (line {{line}})',
  DUMP_MIXED_STATEMENT: 'The dump cannot be loaded: it has a statement made of several (line {{line}})',
  DUMP_BACKSLASH:
    'The dump cannot be loaded: it has a backslash outside of a text, as commands of a client have (line {{line}})',
  DUMP_COMMENT_ENDS: 'The dump cannot be loaded: a comment ends that has not begun (line {{line}})',
  DUMP_LONG_WORD: 'The dump cannot be loaded: it has a word that is too long (line {{line}})',
  DUMP_LONG_STATEMENT: 'The dump cannot be loaded: it has a statement that is too long (line {{line}})',
  DUMP_PLACE_ON_DISK: 'The dump cannot be loaded: it says where on the disk a table lies (line {{line}})',
  DUMP_SETTING: 'The dump cannot be loaded: it sets what a copy of a site does not need: {{statement}} (line {{line}})',
  DUMP_STATEMENT:
    'The dump cannot be loaded: it has a statement that a copy of a site does not need: {{statement}} (line {{line}})',
  DUMP_TEMPORARY_TABLE: 'The dump cannot be loaded: it makes a temporary table (line {{line}})',
  DUMP_SEVERAL_DATABASES:
    'The dump cannot be loaded: it has several databases ({{databases}}); export one alone (line {{line}})',
  DUMP_REFUSED: 'The dump was refused by the database server: {{answer}}',
  DUMP_NOT_LOADED: 'The dump could not be loaded: {{problem}}',
  DUMP_MADE_PROGRAMS: 'The dump made triggers, views, stored routines or events ({{names}}); export the tables alone',
  DATABASE_SERVER_REFUSED: 'The database server refused: {{answer}}',
  DATABASE_SERVER_CLOSED: 'The database server does not let us in; try again later',
  NO_TABLES_OF_SITE: 'The dump has no tables of WordPress: options, posts and users with one prefix',
  NETWORK_OF_SITES: 'The dump is of a network of sites (multisite); export the one site alone',
  TABLES_OF_SEVERAL_SITES:
    'The dump has the tables of several sites ({{prefixes}}), and no wp-config.php says which one is meant',
  TABLE_PREFIX: 'The prefix of the tables has other characters than letters, digits and _: {{prefix}}'
} as const
export type WordpressProblemCode = keyof typeof wordpressProblemTexts

/** What of a dump was not loaded, or left as it was. */
export const wordpressNoteTexts = {
  TRIGGER: 'Not imported: a trigger',
  TRIGGERS: 'Not imported: a trigger ({{count}} of them)',
  VIEW: 'Not imported: a view',
  VIEWS: 'Not imported: a view ({{count}} of them)',
  EVENT: 'Not imported: an event',
  EVENTS: 'Not imported: an event ({{count}} of them)',
  ROUTINE: 'Not imported: a stored routine',
  ROUTINES: 'Not imported: a stored routine ({{count}} of them)',
  MALFORMED_TEXTS: 'Left as they were: {{count}} texts that look serialized and that PHP cannot read',
  LARGE_ROWS: 'Left as they were: {{count}} rows too large for their address to be replaced'
} as const
export type WordpressNoteCode = keyof typeof wordpressNoteTexts
