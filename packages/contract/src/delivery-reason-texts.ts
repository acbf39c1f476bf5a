/** Why a webhook delivery was ignored or refused. At most one value each, so that stored texts are recognized. */
export const deliveryReasonTexts = {
  BRANCH_MISMATCH: 'Branch mismatch',
  BRANCH_DELETED: 'Branch deleted',
  TAG_DELETED: 'Tag deleted',
  TAG_MISMATCH: 'The tag does not match the pattern',
  NOTHING_CHANGED: 'Nothing changed',
  AUTOMATIC_OFF: 'Automatic deployment is off',
  SKIP_MARKER: 'The commit message contains {{marker}}',
  NO_WATCHED_PATH: 'No watched path changed',
  REPEATED: 'Repeated delivery',
  EVENT_NOT_HANDLED: 'Event {{event}} is not handled',
  BODY_COMPRESSED: 'The body must not be compressed',
  BODY_NOT_JSON: 'The body is not JSON',
  BODY_NOT_OBJECT: 'The body is not a JSON object',
  BODY_TOO_COMPLEX: 'The request body is too complex to parse.',
  REF_MISSING: '"ref" is missing',
  AFTER_MISSING: '"after" is missing',
  AFTER_NOT_COMMIT: '"after" or "head_commit.id" is not a commit id',
  CHANGES_MISSING: '"push.changes" is missing',
  TARGET_NOT_COMMIT: '"target.hash" is not a commit id',
  RULES_TOO_SLOW: 'The watch paths or the tag pattern take too long to compare. Simplify them.',
  HEADER_MISSING: 'The header x-gitprovider-event is missing',
  // As the deployments say it, which refuse these to everyone.
  SERVED_FROM_FILES: 'The project is served from its files.',
  NO_REPOSITORY: 'No Git repository is connected. Connect one first.',
  TOO_MANY_QUEUED: 'This project already has {{count}} queued deployments. Wait, or cancel some first.'
} as const
export type DeliveryReasonCode = keyof typeof deliveryReasonTexts
