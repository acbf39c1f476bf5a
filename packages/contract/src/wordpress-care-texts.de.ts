import type { SentenceTexts } from './sentences.ts'
import type { WordpressTaskProblemCode } from './wordpress-care-texts.ts'

export const germanWordpressTaskProblemTexts: SentenceTexts<WordpressTaskProblemCode> = {
  TASK_INTERRUPTED: 'Das Panel wurde inzwischen neu gestartet',
  TASK_BROKE: 'Interner Fehler',
  SITE_CHANGED_MEANWHILE: 'Die Website wurde inzwischen angehalten, bereitgestellt oder gelöscht',
  COPY_TOO_LARGE: 'Eine Kopie der Website hat keinen Platz: „{{answer}}“',
  TABLES_LOCKED: 'Die Tabellen der Website sind gesperrt, oder die Datenbank antwortet nicht: „{{answer}}“',
  TABLES_IMMOVABLE:
    'Die Datenbank hat Views oder Trigger, die nicht wiederhergestellt werden können ({{names}}). Entfernen Sie sie zuerst.',
  UPDATE_REFUSED: 'WordPress konnte {{component}} nicht aktualisieren: „{{answer}}“',
  UPDATE_BROKE: 'Die Website endete beim Aktualisieren von {{component}} mit einem schweren Fehler: „{{answer}}“',
  PAGE_CHANGED:
    'Nach der Aktualisierung von {{component}} antwortete {{path}} mit dem Status {{after}} statt {{before}}',
  PAGE_BROKEN: 'Nach der Aktualisierung von {{component}} endete {{path}} mit einem schweren Fehler',
  REPLACEMENT_FAILED: 'Die Datenbank lehnte eine Änderung ab: „{{answer}}“',
  SITE_NOT_DEPLOYED: 'Die Website wurde nicht bereitgestellt; es wurde nichts kopiert',
  SOURCE_GONE: 'Die Website, von der kopiert werden sollte, wurde gelöscht',
  SAME_DATABASE: 'Beide Websites verwenden dieselbe Datenbank',
  PREFIX_DIFFERS: 'Die Tabellen der Websites beginnen mit verschiedenen Präfixen: {{from}} und {{to}}',
  UNDO_GONE: 'Was die Änderung ersetzt hat, ist nicht mehr vorhanden',
  COPY_BROKEN: 'Mit dem kopierten Inhalt antwortete {{path}} mit einem Fehler (Status {{status}})'
}
