import type { notificationTitles } from './notification-titles.ts'
import type { SentenceTexts } from './sentences.ts'

export const germanNotificationTitles: SentenceTexts<keyof typeof notificationTitles> = {
  'deployment-failed': 'Bereitstellung fehlgeschlagen',
  'deployment-recovered': 'Bereitstellung wieder erfolgreich',
  'site-down': 'Website ist ausgefallen',
  'site-up': 'Website ist wieder erreichbar',
  'certificate-failing': 'Zertifikatserneuerung schlägt fehl',
  'certificate-expiring': 'Zertifikat läuft ab',
  threshold: 'Warnung zur Serverlast',
  'disk-nearly-full': 'Speicherplatz fast voll',
  'container-disk': 'Container nahe am Speicherlimit',
  'volume-full': 'Volume über seiner Größe',
  'container-out-of-memory': 'Arbeitsspeicher eines Containers reicht nicht',
  'container-stopped': 'Container gestoppt',
  'sign-in-from-new-place': 'Anmeldung von einem neuen Ort',
  'quota-nearly-used': 'Kontingent fast erreicht',
  'mail-held': 'E-Mail als Spam zurückgehalten',
  'mail-limit': 'Versandlimit überschritten',
  'import-finished': 'Import abgeschlossen',
  'import-failed': 'Import fehlgeschlagen',
  'scheduled-job-failed': 'Geplante Aufgabe fehlgeschlagen',
  'account-restored': 'Konto wiederhergestellt',
  'account-restore-failed': 'Konto-Wiederherstellung fehlgeschlagen',
  'backup-drill-failed': 'Wiederherstellungstest fehlgeschlagen',
  'backup-failed': 'Backup fehlgeschlagen',
  'worker-crashing': 'Worker stürzt wiederholt ab',
  'addresses-banned': 'Adressen gesperrt',
  'update-available': 'Update verfügbar',
  'upgrade-finished': 'Panel aktualisiert',
  'upgrade-failed': 'Upgrade fehlgeschlagen',
  'channel-off': 'Kanal deaktiviert'
}
