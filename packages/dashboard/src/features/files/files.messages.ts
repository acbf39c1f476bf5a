import { defineMessages } from '../../i18n/messages.ts'
import english from './files.en.json'

export const fileMessages = defineMessages(english, { de: () => import('./files.de.json') })
