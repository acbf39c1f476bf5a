import { defineMessages } from '../../i18n/messages.ts'
import english from './account.en.json'

export const accountMessages = defineMessages(english, { de: () => import('./account.de.json') })
