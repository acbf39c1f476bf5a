import { defineMessages } from '../../i18n/messages.ts'
import english from './audit-action.en.json'

/** What each action of the audit log was, as a short sentence by the action's own name. */
export const auditMessages = defineMessages(english, { de: () => import('./audit-action.de.json') })
