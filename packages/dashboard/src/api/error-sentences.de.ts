import type { ErrorCode } from '@panel/client'

/**
 * Of refusals that say the same wherever they come from. Where the server's sentence tells more than its code, as a figure or a name, that one
 * stays, in English.
 */
export const german: Partial<Record<ErrorCode, string>> & Record<'unreachable' | 'notProved' | 'later', string> = {
  unreachable: 'Das Panel antwortet nicht. Prüfen Sie Ihre Verbindung; vielleicht startet es auch gerade neu.',
  notProved: 'Es wurde nichts getan: Sie haben nicht gezeigt, dass Sie es sind.',
  later: 'Versuchen Sie es in {{seconds}} Sekunden noch einmal.',
  '2FA_INVALID_CODE': 'Der Code ist falsch, wurde schon benutzt oder kam zu spät.',
  ACCOUNT_SUSPENDED: 'Dieses Konto ist gesperrt; fragen Sie, wer das Panel betreibt.',
  ADMIN_2FA_REQUIRED: 'Für Administratoren ist hier ein zweiter Faktor vorgeschrieben; richten Sie ihn zuerst ein.',
  BUSY: 'Der Server ist gerade mit anderem beschäftigt; versuchen Sie es gleich noch einmal.',
  CONTAINER_ENGINE_UNAVAILABLE: 'Die Container-Engine antwortet gerade nicht; versuchen Sie es später noch einmal.',
  CONTAINER_MISSING: 'Es läuft kein Container; deployen Sie das Projekt.',
  DATABASE_ADMIN_UNAVAILABLE: 'Die Web-Verwaltung der Datenbanken antwortet gerade nicht.',
  DATABASE_CHANGING: 'An dieser Datenbank wird gerade etwas geändert; versuchen Sie es gleich noch einmal.',
  DATABASE_SERVER_UNAVAILABLE: 'Der Datenbankserver antwortet gerade nicht; versuchen Sie es später noch einmal.',
  DEPLOYMENT_FINISHED: 'Dieses Deployment ist schon zu Ende.',
  DISK_FULL: 'Die Festplatte des Servers ist voll; ein Administrator muss Platz schaffen.',
  DNS_SERVER_UNAVAILABLE: 'Der Nameserver antwortet gerade nicht; versuchen Sie es später noch einmal.',
  EMAIL_EXISTS: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse.',
  FILES_UNAVAILABLE: 'Die Dateien lassen sich gerade nicht erreichen; versuchen Sie es später noch einmal.',
  FORBIDDEN_ROLE: 'Ihr Konto darf das nicht; fragen Sie einen Administrator.',
  IMAGE_NOT_KEPT: 'Das Image dieses Deployments ist nicht mehr da; bauen Sie neu.',
  INTERNAL: 'Auf dem Server ist etwas schiefgegangen.',
  INVALID_CREDENTIALS: 'E-Mail-Adresse oder Passwort stimmt nicht.',
  KEY_MISMATCH: 'Der private Schlüssel gehört nicht zu dem Zertifikat.',
  LAST_ADMIN: 'Das ist der letzte Administrator; ernennen Sie erst einen anderen.',
  LINK_INVALID: 'Dieser Link stimmt nicht, wurde schon benutzt oder ist zu alt; lassen Sie sich einen neuen schicken.',
  NOT_FOUND: 'Das gibt es hier nicht, oder nicht mehr.',
  NOT_TEXT: 'Diese Datei ist kein Text in UTF-8; laden Sie sie herunter.',
  PROJECT_NAME_EXISTS: 'Sie haben schon ein Projekt mit diesem Namen.',
  RATE_LIMITED: 'Das war zu oft in zu kurzer Zeit.',
  REGISTRATION_DISABLED: 'Registrieren kann man sich hier nicht; bitten Sie den Administrator um ein Konto.',
  REQUEST_TIMEOUT: 'Die Anfrage kam nicht rechtzeitig an; versuchen Sie es noch einmal.',
  REVERSE_PROXY_UNAVAILABLE: 'Der Reverse-Proxy antwortet gerade nicht; versuchen Sie es später noch einmal.',
  SFTP_UNAVAILABLE: 'Der SFTP-Zugang lässt sich gerade nicht ändern; versuchen Sie es gleich noch einmal.',
  SSH_KEY_EXISTS: 'Ihr SFTP-Zugang hat diesen Schlüssel schon.',
  STORE_UNAVAILABLE: 'Der Speicher des Panels ist gerade nicht zu erreichen; versuchen Sie es noch einmal.',
  TWO_FACTOR_ENABLED: 'Der zweite Faktor ist schon eingeschaltet.',
  TWO_FACTOR_NOT_ENABLED: 'Der zweite Faktor ist ausgeschaltet.',
  UNAUTHENTICATED: 'Melden Sie sich zuerst an.',
  WORDPRESS_IMPORT_RUNNING: 'In dieses Projekt läuft gerade ein Import; warten Sie sein Ende ab.',
  WORKER_UNAVAILABLE: 'Der Teil des Panels, der das tut, startet gerade neu; versuchen Sie es gleich noch einmal.'
}
