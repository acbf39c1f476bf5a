import { defineMessages } from '../../i18n/messages.ts'
import english from './security.en.json'

export const securityMessages = defineMessages(english, { de: () => import('./security.de.json') })
