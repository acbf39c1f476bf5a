import type { certificateProblemTexts } from './certificate-texts.ts'
import type { SentenceTexts } from './sentences.ts'

export const germanCertificateProblemTexts: SentenceTexts<keyof typeof certificateProblemTexts> = {
  ADDRESS_MISSING:
    '{{hostname}} hat keinen Adresseintrag: Legen Sie den A-Eintrag {{hostname}} mit dem Wert {{publicIp}} an.',
  ADDRESS_NOT_PUBLIC:
    '{{hostname}} zeigt auf {{address}}. Das ist keine öffentliche Adresse, daher kann die Zertifizierungsstelle sie nicht erreichen: Ändern Sie den A-Eintrag auf {{publicIp}}.',
  ADDRESS_NOT_PUBLIC_AAAA:
    '{{hostname}} zeigt auf {{address}}. Das ist keine öffentliche Adresse, daher kann die Zertifizierungsstelle sie nicht erreichen: Ändern oder entfernen Sie den AAAA-Eintrag.',
  LEADS_ELSEWHERE:
    'http://{{hostname}}/.well-known/acme-challenge/ erreicht unter {{address}} (Port {{port}}) nicht diesen Server; dort prüft die Zertifizierungsstelle.',
  CHANGE_A_RECORD:
    'Ändern Sie den A-Eintrag auf {{publicIp}}, oder leiten Sie diesen Pfad von {{address}} an diesen Server weiter.',
  CHANGE_AAAA_RECORD:
    'Ändern oder entfernen Sie den AAAA-Eintrag, oder leiten Sie diesen Pfad von {{address}} an diesen Server weiter.',
  OPEN_PORT:
    'Leiten Sie Port {{port}} an diesen Server weiter, auch in Firewalls und Routern davor. Wenn nur der Server selbst diese Adresse nicht erreicht, kann ein Administrator „Vor der Anforderung prüfen“ unter Einstellungen → Zertifikate deaktivieren.',
  WAIT_FOR_TTL:
    'Eine DNS-Änderung gilt überall, sobald die TTL des alten Eintrags abgelaufen ist, oft nach einer Stunde.',
  CAA_CRITICAL:
    '{{name}} hat einen kritischen CAA-Eintrag mit dem unbekannten Tag „{{tag}}“, der alle Zertifikate verbietet: Entfernen Sie ihn.',
  CAA_OTHERS_ONLY:
    'Die CAA-Einträge von {{name}} erlauben diese Zertifizierungsstelle nicht: Fügen Sie dort den CAA-Eintrag {{record}} hinzu.',
  CAA_OTHER_METHODS:
    'Die CAA-Einträge von {{name}} erlauben die Validierungsmethode {{method}} dieses Servers nicht: Fügen Sie sie bei validationmethods hinzu, oder entfernen Sie diesen Parameter.',
  WILDCARD_NOT_MANAGED:
    'Ein Wildcard-Zertifikat erfordert eine Validierung über DNS, aber die Zone von {{hostname}} wird hier nicht verwaltet: Stellen Sie die Domain zuerst auf verwaltetes DNS um.',
  PROOF_HAS_NO_PLACE:
    'Der Validierungseintrag für {{hostname}} kann unter {{owner}} nicht angelegt werden: „{{problem}}“. Entfernen Sie diesen Eintrag, oder benennen Sie ihn um.',
  CHECK_TOOK_TOO_LONG:
    'Die Prüfung, ob {{hostname}} diesen Server über DNS und HTTP erreicht, dauerte länger als {{seconds}} s',
  TOO_MANY_OF_NAME:
    'Für {{hostname}} wurden zu viele Zertifikate angefordert; Zertifizierungsstellen erlauben 5 pro Woche und 5 Fehlversuche pro Stunde',
  TOO_MANY_FAILURES:
    'Zu viele Zertifikatsanforderungen Ihres Kontos sind fehlgeschlagen; erlaubt sind 20 Fehlversuche pro Stunde',
  TOO_MANY_OF_ACCOUNT: 'Ihr Konto hat zu viele Zertifikate angefordert; erlaubt sind 50 neue in 3 Stunden',
  TOO_MANY_BUT_RENEWALS:
    'Dieser Server hat zu viele Zertifikate angefordert; ab 150 in 3 Stunden sind nur noch Erneuerungen möglich',
  TOO_MANY_OF_SERVER:
    'Dieser Server hat zu viele Zertifikate angefordert; Zertifizierungsstellen erlauben etwa 250 in 3 Stunden',
  AUTHORITY_REFUSED: 'Die Zertifizierungsstelle hat die Anforderung abgelehnt: „{{answer}}“',
  AUTHORITY_UNAVAILABLE: 'Die Zertifizierungsstelle ist vorübergehend nicht verfügbar: „{{answer}}“',
  AUTHORITY_LIMITS: 'Ein Limit der Zertifizierungsstelle wurde erreicht: „{{answer}}“',
  ORDER_TOOK_TOO_LONG: 'Zeitüberschreitung bei der Zertifikatsanforderung: „{{answer}}“',
  NOT_SERVABLE: 'Die Zertifizierungsstelle hat ein nicht verwendbares Zertifikat ausgestellt: „{{problem}}“',
  ORDER_BROKE:
    'Die Anforderung ist wegen eines internen Fehlers fehlgeschlagen; ein Administrator findet die Ursache im Server-Log'
}
