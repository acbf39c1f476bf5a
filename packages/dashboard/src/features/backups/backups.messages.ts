import { defineMessages } from '../../i18n/messages.ts'
import english from './backups.en.json'

export const backupMessages = defineMessages(english, { de: () => import('./backups.de.json') })
