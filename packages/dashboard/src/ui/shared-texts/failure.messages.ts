import { defineMessages } from '../../i18n/messages.ts'

/** Why deployments fail, for every page that tells it: in English the server says it. */
export const failureMessages = defineMessages({}, { de: () => import('./failure.de.json') })
