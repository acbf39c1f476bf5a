import { defineMessages } from '../../i18n/messages.ts'
import english from './notifications.en.json'

export const notificationMessages = defineMessages(english, { de: () => import('./notifications.de.json') })
