import { defineMessages } from '../../i18n/messages.ts'
import english from './care.en.json'

export const careMessages = defineMessages(english, { de: () => import('./care.de.json') })
