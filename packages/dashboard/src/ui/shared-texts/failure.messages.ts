import { defineMessages } from '../../i18n/messages.ts'

export const failureMessages = defineMessages({}, { de: () => import('./failure.de.json') })
