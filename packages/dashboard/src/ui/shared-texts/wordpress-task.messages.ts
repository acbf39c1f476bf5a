import { byWord, defineMessages } from '../../i18n/messages.ts'

export const wordpressTaskMessages = defineMessages(
  {},
  {
    de: async () => ({
      default: byWord('task', (await import('@panel/contract/wordpress-care-texts.de')).germanWordpressTaskProblemTexts)
    })
  }
)
