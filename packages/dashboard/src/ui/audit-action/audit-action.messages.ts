import { defineMessages } from '../../i18n/messages.ts'
import english from './audit-action.en.json'

export const auditMessages = defineMessages(english, { de: () => import('./audit-action.de.json') })
