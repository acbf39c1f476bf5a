import { defineMessages } from '../../i18n/messages.ts'
import english from './delivery-test.en.json'

export const deliveryMessages = defineMessages(english, { de: () => import('./delivery-test.de.json') })
