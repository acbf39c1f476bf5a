import { defineMessages } from '../../i18n/messages.ts'
import english from './monitoring.en.json'

export const monitoringMessages = defineMessages(english, { de: () => import('./monitoring.de.json') })
