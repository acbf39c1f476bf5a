import { notificationTitles } from '@panel/contract/notification-titles'
import { byWord, defineMessages } from '../../i18n/messages.ts'
import own from './notifications.en.json'

const english = { ...own, ...byWord('kind', notificationTitles) }

export const notificationMessages = defineMessages(english, {
  async de() {
    const [german, { germanNotificationTexts }, { germanNotificationTitles }] = await Promise.all([
      import('./notifications.de.json'),
      import('@panel/contract/notification-texts.de'),
      import('@panel/contract/notification-titles.de')
    ])
    return {
      default: {
        ...german.default,
        ...byWord('text', germanNotificationTexts),
        ...byWord('kind', germanNotificationTitles)
      }
    }
  }
})
