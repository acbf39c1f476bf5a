import { defineMessages } from '../../i18n/messages.ts'
import english from './delivery-log.en.json'

export const deliveryLogMessages = defineMessages(english, { de: () => import('./delivery-log.de.json') })
