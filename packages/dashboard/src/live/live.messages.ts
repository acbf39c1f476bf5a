import { defineMessages } from '../i18n/messages.ts'
import english from './live.en.json'

export const liveMessages = defineMessages(english, { de: () => import('./live.de.json') })
