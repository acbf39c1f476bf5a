import { defineMessages } from '../../i18n/messages.ts'
import english from './api-tokens.en.json'

export const apiTokenMessages = defineMessages(english, { de: () => import('./api-tokens.de.json') })
