import { germanCertificateProblemTexts } from './certificate-texts.de.ts'
import { germanFailureTexts } from './failure-texts.de.ts'
import type { NotificationCode } from './notification-texts.ts'
import type { SentenceTexts } from './sentences.ts'
import { germanWordpressTaskProblemTexts } from './wordpress-care-texts.de.ts'
import { germanWordpressProblemTexts } from './wordpress-texts.de.ts'

export const germanNotificationTexts: SentenceTexts<NotificationCode> = {
  DEPLOYMENT_FAILED: 'Eine Bereitstellung von {{project}} ist fehlgeschlagen: „{{reason}}“',
  DEPLOYMENT_FAILED_BECAUSE: 'Eine Bereitstellung von {{project}} ist fehlgeschlagen:',
  DEPLOYMENT_FAILED_SEE_LOG: 'Eine Bereitstellung von {{project}} ist fehlgeschlagen. Die Ursache steht im Log.',
  MACHINE_AWAY:
    'Die Maschine {{machine}} antwortet nicht. Websites ohne eigene Dateien werden auf anderen Maschinen gestartet.',
  MACHINE_BACK: 'Die Maschine {{machine}} antwortet wieder.',
  STILL_SERVES: 'Das vorige Release ist weiterhin live.',
  ADDRESSES_BANNED:
    'Nach fehlgeschlagenen Anmeldungen gesperrt: {{addresses}}. Weitere Sperren werden erst gemeldet, wenn eine Stunde lang keine dazukam.',
  SCHEDULED_JOB_FAILED:
    'Die geplante Aufgabe {{job}} von {{project}} ist mit dem Exit-Status {{status}} fehlgeschlagen.',
  SCHEDULED_JOB_TIMED_OUT: 'Die geplante Aufgabe {{job}} von {{project}} wurde nach {{seconds}} Sekunden gestoppt.',
  SCHEDULED_JOB_OUT_OF_MEMORY: 'Der geplanten Aufgabe {{job}} von {{project}} ist der Arbeitsspeicher ausgegangen.',
  SCHEDULED_JOB_NOT_STARTED: 'Die geplante Aufgabe {{job}} von {{project}} konnte nicht gestartet werden.',
  WORKER_CRASHING: 'Der Worker {{process}} von {{project}} stürzt wiederholt ab. Die Website ist nicht betroffen.',
  ACCOUNT_RESTORED: 'Das Konto {{email}} wurde aus einem Backup wiederhergestellt.',
  ACCOUNT_RESTORE_FAILED: 'Die Wiederherstellung des Kontos {{email}} ist nicht vollständig: „{{problem}}“',
  BACKUP_DRILL_FAILED:
    'Der Wiederherstellungstest mit einem Backup von {{project}} auf {{target}} ist fehlgeschlagen: „{{problem}}“',
  BACKUP_FAILED: 'Das Backup von {{project}} auf {{target}} ist fehlgeschlagen: „{{problem}}“',
  PANEL_BACKUP_FAILED: 'Das Backup des Panels auf {{target}} ist fehlgeschlagen: „{{problem}}“',
  DEPLOYMENT_RECOVERED: '{{project}} ist nach einer fehlgeschlagenen Bereitstellung wieder erfolgreich bereitgestellt.',
  DOWN_CONNECTION_LOST: '{{url}} ist ausgefallen: Die Verbindung wurde vor der Antwort getrennt.',
  DOWN_TIMEOUT: '{{url}} ist ausgefallen: Zeitüberschreitung.',
  DOWN_STATUS: '{{url}} ist ausgefallen: Antwort mit Statuscode {{status}}.',
  DOWN_TEXT_MISSING: '{{url}} ist ausgefallen: Der erwartete Text fehlt auf der Seite.',
  DOWN_TEXT_PRESENT: '{{url}} ist ausgefallen: Die Seite enthält einen unerwünschten Text.',
  DOWN_TLS_NAME: '{{url}} ist ausgefallen: Das Zertifikat gilt für einen anderen Hostnamen.',
  DOWN_TLS_EXPIRED: '{{url}} ist ausgefallen: Das Zertifikat ist abgelaufen.',
  DOWN_TLS_FAILED: '{{url}} ist ausgefallen: TLS-Handshake fehlgeschlagen.',
  DOWN_PROXY_AWAY: '{{url}} ist ausgefallen: Der Reverse-Proxy hat nicht geantwortet.',
  DOWN_CHECKER_DELAYED: '{{url}} ist ausgefallen: Die Prüfung lief nicht rechtzeitig.',
  SEE_CONTAINER_LOG: 'Prüfen Sie das Container-Log oder stellen Sie das Projekt erneut bereit.',
  UP: '{{url}} ist wieder erreichbar.',
  CERTIFICATE_EXPIRED: 'Das Zertifikat für {{hostname}} ist am {{end}} abgelaufen. Browser warnen vor der Website.',
  CERTIFICATE_EXPIRING_SOON: 'Das Zertifikat für {{hostname}} läuft am {{end}} ab.',
  CERTIFICATE_RENEWAL_FAILING:
    'Das bis {{end}} gültige Zertifikat für {{hostname}} konnte {{count}}-mal nicht erneuert werden.',
  CERTIFICATE_ISSUANCE_FAILED: 'Für {{hostname}} gibt es noch kein Zertifikat.',
  LAST_TRY_ENDED: 'Letzter Versuch:',
  LAST_TRY: 'Letzter Versuch: „{{problem}}“',
  TRIED_NOW: 'Ein neuer Versuch läuft.',
  TRIED_AGAIN: 'Der nächste Versuch folgt automatisch am {{day}} um {{time}} UTC.',
  UPLOAD_NEW: 'Laden Sie ein neues Zertifikat hoch oder lassen Sie eines ausstellen.',
  PROVISION_AGAIN:
    'Es folgt kein automatischer Versuch mehr. Beheben Sie die Ursache und lassen Sie das Zertifikat erneut ausstellen.',
  RENEW: 'Erneuern Sie es oder aktivieren Sie die automatische Erneuerung.',
  ABOVE_CPU: 'CPU-Auslastung des Servers: {{value}} %, seit einigen Minuten über {{threshold}} %.',
  ABOVE_RAM: 'Arbeitsspeicher des Servers: {{value}} % belegt, seit einigen Minuten über {{threshold}} %.',
  ABOVE_DISK: 'Speicherplatz des Servers: {{value}} % belegt, seit einigen Minuten über {{threshold}} %.',
  DISK_FULL_IN_DAYS: 'Beim jetzigen Zuwachs ist der Speicherplatz des Servers in {{days}} Tagen voll.',
  DISK_NEARLY_FULL: 'Der Datenträger {{path}} ist zu {{value}} % voll.',
  SEE_DISK: 'Sehen Sie nach, was den Platz belegt, und räumen Sie auf.',
  DISK_HAS_TIME: 'Der Speicherplatz des Servers füllt sich nicht mehr so schnell.',
  DISK_HAS_ROOM: 'Auf dem Datenträger {{path}} ist wieder Platz.',
  SEE_FIGURES: 'Welcher Container die Last verursacht, sehen Sie unter „Überwachung“.',
  BELOW_CPU: 'CPU-Auslastung des Servers: {{value}} %, wieder unter {{threshold}} %.',
  BELOW_RAM: 'Arbeitsspeicher des Servers: {{value}} % belegt, wieder unter {{threshold}} %.',
  BELOW_DISK: 'Speicherplatz des Servers: {{value}} % belegt, wieder unter {{threshold}} %.',
  CONTAINER_OUT_OF_MEMORY:
    'Einem Prozess von {{project}} gingen die {{memory}} MB Arbeitsspeicher aus; er wurde beendet.',
  WORKER_OUT_OF_MEMORY:
    'Einem Prozess des Workers {{process}} von {{project}} gingen die {{memory}} MB Arbeitsspeicher aus; er wurde beendet. Die Website ist nicht betroffen.',
  GIVE_WORKER_MORE_MEMORY: 'Geben Sie dem Worker unter „Prozesse“ mehr Arbeitsspeicher.',
  IMAGE_NEWER: '{{image}} von {{project}} bezeichnet jetzt ein neueres Image: {{digest}}.',
  DEPLOY_NEWER_IMAGE: 'Stellen Sie das Projekt neu bereit, um es zu verwenden.',
  INSTANCE_RESTARTED:
    'Eine Instanz von {{project}} hat {{seconds}} Sekunden nicht geantwortet und wurde neu gestartet.',
  GIVE_MORE_MEMORY: 'Geben Sie dem Projekt in seinen Einstellungen eine größere Größe.',
  VOLUME_ABOVE_SIZE: 'Das Volume {{volume}} von {{project}} belegt {{used}} MiB; seine Größe ist {{limit}} MiB.',
  VOLUME_STOPS_PROJECT:
    'Löschen Sie Dateien oder geben Sie ihm eine größere Größe. Wächst es weiter, wird das Projekt gestoppt.',
  VOLUME_STOPPED_PROJECT:
    'Das Projekt wurde gestoppt. Löschen Sie Dateien oder geben Sie dem Volume eine größere Größe, und starten Sie das Projekt wieder.',
  CONTAINER_STOPPED: 'Der Container wurde gestoppt, weil er ein Speicherplatzlimit überschritten hat.',
  CONTAINER_WROTE_BYTES: 'Der Container hat {{written}} MiB von höchstens {{limit}} MiB geschrieben.',
  CONTAINER_WROTE_FILES: 'Er enthält {{written}} von höchstens {{limit}} Dateien und Ordnern.',
  CONTAINER_NEAR: 'Bei Überschreitung eines Limits wird er gestoppt.',
  WITHOUT_WHAT_WAS_WRITTEN:
    'Dateien unter /data zählen nicht. Eine neue Bereitstellung verwirft alles, was an anderer Stelle geschrieben wurde.',
  ACCOUNT_DISK_FULL:
    'Die Container des Kontos wurden gestoppt, weil sein Speicherplatz voll ist. Löschen Sie nicht benötigte Daten oder fordern Sie mehr Speicherplatz an, und starten Sie die Container wieder.',
  SIGNED_IN: 'Anmeldung von {{address}} mit {{agent}}. Von dort gab es in den letzten 90 Tagen keine Anmeldung.',
  SIGNED_IN_FROM_UNKNOWN:
    'Anmeldung von einer unbekannten Adresse mit {{agent}}. Von dort gab es in den letzten 90 Tagen keine Anmeldung.',
  IF_NOT_YOU: 'Wenn Sie das nicht waren, beenden Sie die Sitzung und ändern Sie Ihr Passwort.',
  QUOTA_PROJECTS: '{{used}} von {{limit}} Projekten sind belegt.',
  QUOTA_DOMAINS: '{{used}} von {{limit}} Domains sind belegt.',
  QUOTA_DATABASES: '{{used}} von {{limit}} Datenbanken sind belegt.',
  QUOTA_MAILBOXES: '{{used}} von {{limit}} Postfächern sind belegt.',
  QUOTA_SUB_ACCOUNTS: '{{used}} von {{limit}} Unterkonten sind belegt.',
  QUOTA_DISK: '{{used}} von {{limit}} MB Speicherplatz sind belegt.',
  MAKE_ROOM: 'Löschen Sie nicht Benötigtes oder fordern Sie ein höheres Kontingent an.',
  MAIL_LIMIT:
    'Das Postfach {{address}} hat das stündliche Empfängerlimit überschritten. Weitere Nachrichten werden vorübergehend abgewiesen; E-Mail-Programme versuchen es automatisch erneut.',
  MAIL_HELD:
    'E-Mails des Postfachs {{address}} wurden als Spam erkannt und nicht gesendet. Sie bleiben in der Warteschlange, bis ein Administrator sie freigibt oder löscht.',
  PASSWORD_KNOWN: 'Wenn Sie das nicht waren, ist das Passwort bekannt geworden. Ändern Sie es sofort.',
  WRITE_TO_ADMINISTRATOR: 'Wenn Sie es waren, wenden Sie sich an den Administrator des Servers.',
  WORDPRESS_IMPORTED: 'Die WordPress-Website wurde in {{project}} importiert.',
  MAILBOX_IMPORTED: 'Der Import von {{host}} in {{address}} ist abgeschlossen. Importierte Nachrichten: {{count}}.',
  UPDATE: 'Panel-Version {{version}} ist verfügbar. Installiert ist {{current}}.',
  UPDATE_OF_SECURITY:
    'Panel-Version {{version}} ist verfügbar und behebt eine Sicherheitslücke. Installiert ist {{current}}.',
  UPDATE_NOTES: 'Versionshinweise: {{url}}',
  UPGRADED: 'Das Panel wurde von Version {{from}} auf {{to}} aktualisiert.',
  UPGRADE_REVERTED:
    'Panel-Version {{to}} lief nicht. Version {{from}} läuft wieder, mit ihrer Datenbank wie zuvor. Fehler: „{{problem}}“',
  UPGRADE_REFUSED: 'Das Release wurde nicht angenommen, und nichts wurde geändert. Fehler: „{{problem}}“',
  CHANNEL_OFF:
    'Der Kanal {{channel}} wurde deaktiviert, weil drei Tage lang keine Zustellung gelang. Letzter Fehler: „{{problem}}“',
  ...germanFailureTexts,
  ...germanCertificateProblemTexts,
  ...germanWordpressProblemTexts,
  ...germanWordpressTaskProblemTexts
}
