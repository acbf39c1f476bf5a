import { defineMessages } from '../../i18n/messages.ts'
import english from './welcome.en.json'

export const welcomeMessages = defineMessages(english, { de: () => import('./welcome.de.json') })
