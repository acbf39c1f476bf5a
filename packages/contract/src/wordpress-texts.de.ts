import type { wordpressProblemTexts } from './wordpress-texts.ts'
import type { SentenceTexts } from './sentences.ts'

export const germanWordpressProblemTexts: SentenceTexts<keyof typeof wordpressProblemTexts> = {
  IMPORT_BROKE: 'Interner Fehler; die Website ist unverändert',
  IMPORT_INTERRUPTED:
    'Das Panel wurde beim Schritt {{step}} gestoppt; die Website ist unverändert. Importieren Sie erneut',
  IMPORT_NOT_KEPT: 'Die entpackten Dateien wurden aus {{directory}} entfernt',
  UPLOAD_CUT_OFF: 'Der Upload wurde unterbrochen; laden Sie das Archiv erneut hoch',
  UPLOAD_TOO_SLOW: 'Der Upload hat zu lange gedauert; laden Sie das Archiv erneut hoch',
  UPLOAD_TOO_LARGE: 'Das Archiv ist größer als das Limit von {{megabytes}} MB',
  UPLOAD_NOT_WHOLE: 'Das Formular ist unvollständig oder ungültig',
  PROJECT_GONE: 'Das Projekt wurde inzwischen gelöscht',
  DATABASE_GONE: 'Die Datenbank existiert nicht mehr',
  DATABASE_GONE_MEANWHILE: 'Die Datenbank wurde inzwischen gelöscht; die Website ist unverändert',
  DATABASE_LINKED_MEANWHILE:
    'Die Datenbank wurde inzwischen mit einem anderen Projekt verknüpft; die Website ist unverändert',
  DATABASE_OF_OTHER_PROJECT: 'Diese Datenbank gehört zu einem anderen Projekt; lösen Sie dort zuerst die Verknüpfung',
  DATABASE_NOT_YOURS:
    'Diese Zugangsdaten gehören zu keiner Ihrer MySQL-Datenbanken auf diesem Server; legen Sie eine an, oder lassen Sie die Felder leer',
  DATABASE_IMMOVABLE:
    'Die Datenbank hat Views oder Trigger, die nicht verschoben werden können ({{names}}); löschen Sie diese zuerst',
  VARIABLES_BY_HAND:
    'Das Projekt hat eigene Variablen ({{names}}); löschen Sie diese zuerst, damit der Import sie setzen kann',
  NO_SITE_IN_ARCHIVE:
    'Das Archiv enthält kein WordPress: Weder wp-includes/version.php noch wp-content wurde im Stammverzeichnis oder in einem Verzeichnis wie public_html gefunden',
  SEVERAL_SITES: 'Das Archiv enthält mehrere Websites ({{paths}}); packen Sie nur eine ein',
  ARCHIVE_UNREADABLE: 'Das Archiv konnte nicht entpackt werden: „{{problem}}“.',
  ARCHIVE_TOO_LARGE: 'Das Archiv ist entpackt größer als {{bytes}} Bytes.',
  ARCHIVE_OF_TOO_MANY: 'Das Archiv hat mehr als {{max}} Einträge.',
  NO_DUMP: 'Das Archiv enthält keinen Datenbank-Dump: Legen Sie einen neben die Dateien, als database.sql oder .sql.gz',
  TOO_MANY_DUMPS:
    'Das Archiv enthält mehr als {{max}} Dumps; legen Sie den Dump der Website als {{name}} neben ihre Dateien, oder entfernen Sie die anderen',
  NO_DUMP_OF_SITE:
    'Kein Dump im Archiv legt WordPress-Tabellen an: Erforderlich ist eine Tabelle, deren Name auf options endet',
  SEVERAL_DUMPS_OF_SITE: 'Mehrere Dumps im Archiv legen WordPress-Tabellen an ({{names}}); packen Sie nur einen ein',
  DUMPS_TOO_LARGE: 'Die Dumps sind entpackt größer als {{megabytes}} MB',
  DUMP_NOT_PACKED_WELL: 'Der Dump ist keine gültige gzip-Datei',
  DUMP_ENDS_INSIDE:
    'Der Dump lässt sich nicht laden: Er endet mitten in einer Zeichenkette oder einem Kommentar (Zeile {{line}})',
  DUMP_MIXED_STATEMENT: 'Der Dump lässt sich nicht laden: Er enthält eine zusammengesetzte Anweisung (Zeile {{line}})',
  DUMP_BACKSLASH:
    'Der Dump lässt sich nicht laden: Er enthält außerhalb einer Zeichenkette einen Backslash wie in einem Client-Befehl (Zeile {{line}})',
  DUMP_COMMENT_ENDS: 'Der Dump lässt sich nicht laden: Ein Kommentar endet, der nicht begonnen wurde (Zeile {{line}})',
  DUMP_LONG_WORD: 'Der Dump lässt sich nicht laden: Er enthält ein zu langes Wort (Zeile {{line}})',
  DUMP_LONG_STATEMENT: 'Der Dump lässt sich nicht laden: Er enthält eine zu lange Anweisung (Zeile {{line}})',
  DUMP_PLACE_ON_DISK: 'Der Dump lässt sich nicht laden: Er legt den Speicherort einer Tabelle fest (Zeile {{line}})',
  DUMP_SETTING:
    'Der Dump lässt sich nicht laden: Er setzt eine Option, die eine Website nicht braucht: {{statement}} (Zeile {{line}})',
  DUMP_STATEMENT:
    'Der Dump lässt sich nicht laden: Er enthält eine Anweisung, die eine Website nicht braucht: {{statement}} (Zeile {{line}})',
  DUMP_TEMPORARY_TABLE: 'Der Dump lässt sich nicht laden: Er legt eine temporäre Tabelle an (Zeile {{line}})',
  DUMP_SEVERAL_DATABASES:
    'Der Dump lässt sich nicht laden: Er enthält mehrere Datenbanken ({{databases}}); exportieren Sie nur eine (Zeile {{line}})',
  DUMP_REFUSED: 'Der Datenbankserver hat den Dump abgelehnt: „{{answer}}“',
  DUMP_NOT_LOADED: 'Der Dump konnte nicht geladen werden: „{{problem}}“',
  DUMP_MADE_PROGRAMS:
    'Der Dump hat Trigger, Views, gespeicherte Routinen oder Events angelegt ({{names}}); exportieren Sie nur die Tabellen',
  DATABASE_SERVER_REFUSED: 'Der Datenbankserver hat die Anfrage abgelehnt: „{{answer}}“',
  DATABASE_SERVER_CLOSED: 'Der Datenbankserver lehnt Verbindungen ab; versuchen Sie es später erneut',
  NO_TABLES_OF_SITE: 'Der Dump enthält keine WordPress-Tabellen: options, posts und users mit demselben Präfix',
  NETWORK_OF_SITES: 'Der Dump enthält ein Multisite-Netzwerk; exportieren Sie eine einzelne Website',
  TABLES_OF_SEVERAL_SITES:
    'Der Dump enthält die Tabellen mehrerer Websites ({{prefixes}}), und keine wp-config.php legt fest, welche gemeint ist',
  TABLE_PREFIX: 'Das Tabellenpräfix darf nur Buchstaben, Ziffern und _ enthalten: {{prefix}}'
}
