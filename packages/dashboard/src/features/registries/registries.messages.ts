import { defineMessages } from '../../i18n/messages.ts'
import english from './registries.en.json'

export const registryMessages = defineMessages(english, { de: () => import('./registries.de.json') })
