import { byWord, defineMessages } from '../../i18n/messages.ts'

export const failureMessages = defineMessages(
  {},
  {
    de: async () => ({
      default: byWord('reason', (await import('@panel/contract/failure-texts.de')).germanFailureTexts)
    })
  }
)
