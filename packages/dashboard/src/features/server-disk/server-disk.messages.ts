import { defineMessages } from '../../i18n/messages.ts'
import english from './server-disk.en.json'

export const serverDiskMessages = defineMessages(english, { de: () => import('./server-disk.de.json') })
