import { defineMessages } from '../../i18n/messages.ts'

export const remedyMessages = defineMessages({}, { de: () => import('./remedy.de.json') })
