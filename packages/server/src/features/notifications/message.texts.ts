import type { TranslatedTexts } from '../../text/language.ts'

type MessageCode =
  | 'time'
  | 'count'
  | 'more'
  | 'moreInPanel'
  | 'FLAPPING'
  | `mail.${'hello' | 'end'}`
  | `test.${'title' | 'text'}`

export const messageTexts: TranslatedTexts<MessageCode> = {
  en: {
    time: 'Time: {{time}}.',
    count: '{{count}} notifications',
    more: '{{count}} more',
    moreInPanel: 'and {{count}} more in the panel',
    FLAPPING: 'The state keeps changing. You will get the next notification once it has been stable for 15 minutes.',
    'mail.hello': 'Hello {{name}},',
    'mail.end': 'You can change which notifications you receive in the panel, under Notifications.',
    'test.title': 'Channel test',
    'test.text': 'This is a test of the channel {{name}}. It works.'
  },
  de: {
    time: 'Zeitpunkt: {{time}}.',
    count: '{{count}} Benachrichtigungen',
    more: '{{count}} weitere',
    moreInPanel: 'und {{count}} weitere im Panel',
    FLAPPING:
      'Der Status wechselt ständig. Die nächste Benachrichtigung folgt, sobald er 15 Minuten lang unverändert ist.',
    'mail.hello': 'Hallo {{name}},',
    'mail.end': 'Welche Benachrichtigungen Sie erhalten, legen Sie im Panel unter „Benachrichtigungen“ fest.',
    'test.title': 'Test des Kanals',
    'test.text': 'Das ist ein Test des Kanals {{name}}. Er funktioniert.'
  }
}
