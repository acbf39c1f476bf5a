import { defineMessages } from '../i18n/messages.ts'
import english from './ui.en.json'

export const uiMessages = defineMessages(english, { de: () => import('./ui.de.json') })
