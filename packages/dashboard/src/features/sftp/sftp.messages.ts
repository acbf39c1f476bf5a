import { defineMessages } from '../../i18n/messages.ts'
import english from './sftp.en.json'

export const sftpMessages = defineMessages(english, { de: () => import('./sftp.de.json') })
