import { defineMessages } from '../../i18n/messages.ts'
import english from './volumes.en.json'

export const volumeMessages = defineMessages(english, { de: () => import('./volumes.de.json') })
