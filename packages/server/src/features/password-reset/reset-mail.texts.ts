import type { TranslatedTexts } from '../../text/language.ts'

export type ResetMailCode =
  | `reset.${'subject' | 'hello' | 'reason' | 'action' | 'end'}`
  | `invitation.${'subject' | 'hello' | 'reason' | 'action' | 'end'}`

export const resetMailTexts: TranslatedTexts<ResetMailCode> = {
  en: {
    'reset.subject': 'Reset your password',
    'reset.hello': 'Hello {{name}},',
    'reset.reason': 'a password reset was requested for your account at {{panel}}.',
    'reset.action': 'Choose a new password here within {{minutes}} minutes:',
    'reset.end': 'The link works once. If you did not request it, ignore this message: your password stays unchanged.',
    'invitation.subject': 'Your new account',
    'invitation.hello': 'Hello,',
    'invitation.reason': 'an account with your email address was created at {{panel}}.',
    'invitation.action': 'Choose a password for it here within {{days}} days:',
    'invitation.end':
      'The link works once. After that time you can request a new one on the sign-in page. If you do not expect an account, ignore this message.'
  },
  de: {
    'reset.subject': 'Passwort zurücksetzen',
    'reset.hello': 'Hallo {{name}},',
    'reset.reason': 'für Ihr Konto auf {{panel}} wurde das Zurücksetzen des Passworts angefordert.',
    'reset.action': 'Legen Sie hier innerhalb von {{minutes}} Minuten ein neues Passwort fest:',
    'reset.end':
      'Der Link gilt einmal. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt unverändert.',
    'invitation.subject': 'Ihr neues Konto',
    'invitation.hello': 'Hallo,',
    'invitation.reason': 'auf {{panel}} wurde ein Konto für Sie angelegt.',
    'invitation.action': 'Legen Sie hier innerhalb von {{days}} Tagen ein Passwort dafür fest:',
    'invitation.end':
      'Der Link gilt einmal. Danach können Sie auf der Anmeldeseite einen neuen anfordern. Wenn Sie kein Konto erwarten, ignorieren Sie diese Nachricht.'
  }
}
