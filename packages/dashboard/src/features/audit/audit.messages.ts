import { defineMessages } from '../../i18n/messages.ts'
import english from './audit.en.json'

export const auditMessages = defineMessages(english, { de: () => import('./audit.de.json') })
