/** Why an update or a replacement did not succeed. `component` is a name of the site; `answer` is what its code or the database says. */
export const wordpressTaskProblemTexts = {
  TASK_INTERRUPTED: 'The panel was restarted in the meantime',
  TASK_BROKE: 'Internal error',
  SITE_CHANGED_MEANWHILE: 'The site was stopped, deployed or deleted in the meantime',
  COPY_TOO_LARGE: 'A copy of the site does not fit: {{answer}}',
  TABLES_LOCKED: 'The tables of the site are locked, or the database does not respond: {{answer}}',
  TABLES_IMMOVABLE: 'The database has views or triggers, which cannot be restored ({{names}}). Drop them first.',
  UPDATE_REFUSED: 'WordPress could not update {{component}}: {{answer}}',
  UPDATE_BROKE: 'The site ended in a fatal error while {{component}} was updated: {{answer}}',
  PAGE_CHANGED: 'After the update of {{component}}, {{path}} answered with status {{after}} instead of {{before}}',
  PAGE_BROKEN: 'After the update of {{component}}, {{path}} ended in a fatal error',
  REPLACEMENT_FAILED: 'The database refused a change: {{answer}}',
  SITE_NOT_DEPLOYED: 'The site was not deployed, so nothing was copied',
  SOURCE_GONE: 'The site to copy from was deleted',
  SAME_DATABASE: 'Both sites use the same database',
  PREFIX_DIFFERS: 'The tables of the sites begin with different prefixes: {{from}} and {{to}}',
  UNDO_GONE: 'What the change replaced is no longer there',
  COPY_BROKEN: 'With the copied content, {{path}} answered with an error (status {{status}})'
} as const

export type WordpressTaskProblemCode = keyof typeof wordpressTaskProblemTexts
