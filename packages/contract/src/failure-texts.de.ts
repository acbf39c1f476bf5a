import type { failureTexts } from './failure-texts.ts'
import type { SentenceTexts } from './sentences.ts'

export const germanFailureTexts: SentenceTexts<keyof typeof failureTexts> = {
  TIMED_OUT:
    'Der Vorgang dauerte länger als das Zeitlimit für Builds von {{seconds}} s, das ein Administrator unter Einstellungen → Builds ändern kann',
  PANEL_STOPPED: 'Das Panel wurde gestoppt; stellen Sie erneut bereit',
  PANEL_STOPPED_MEANWHILE:
    'Das Panel wurde im Status {{status}} dieser Bereitstellung gestoppt; stellen Sie erneut bereit',
  OUR_FAULT: 'Interner Fehler. Details stehen im Server-Log',
  DISK_LOW:
    'Der Speicherplatz dieses Servers ist fast voll: {{free}} MiB sind frei, ein Build braucht {{needed}} MiB. Bitten Sie einen Administrator, Platz zu schaffen, und bauen Sie dann erneut',
  VERSION_NOT_AVAILABLE:
    '{{file}} verlangt {{language}} {{wanted}}; diese Version gibt es hier nicht. Verlangen Sie dort eine der Versionen {{versions}} oder wählen Sie eine in den Einstellungen des Projekts.',
  VERSION_NOT_HERE:
    'Das Projekt verlangt {{language}} {{wanted}}, das dieser Server nicht beschaffen kann. Verlangen Sie eine der Versionen {{versions}}, oder bitten Sie einen Administrator, andere bereitzustellen.',
  FILES_NOT_SAVED:
    'Die Dateien des Projekts konnten vorher nicht gesichert werden und wurden deshalb nicht ersetzt. Siehe das Deployment davor.',
  NO_REPOSITORY: 'Das Projekt hat kein Repository für den Build.',
  NO_DOCKERFILE: 'Im Stammverzeichnis des Repositorys fehlt ein Dockerfile; legen Sie eines an.',
  NO_DOCKERFILE_THERE:
    'Im Build-Kontext gibt es keine Datei {{path}}; korrigieren Sie den Pfad des Dockerfiles in den Einstellungen des Projekts.',
  DOCKERFILE_ELSEWHERE:
    'Im Stammverzeichnis des Repositorys fehlt ein Dockerfile, es gibt aber andere: {{paths}}. Setzen Sie in den Einstellungen des Projekts den Pfad des Dockerfiles oder das Stammverzeichnis.',
  ROOT_NOT_FOUND:
    'Das Repository hat kein Verzeichnis {{path}}; korrigieren Sie das Stammverzeichnis in den Einstellungen des Projekts.',
  ROOT_IS_LINK: '{{path}} ist ein symbolischer Link; geben Sie als Stammverzeichnis ein echtes Verzeichnis an.',
  DOCKERFILE_OUTSIDE_CONTEXT:
    'Das Dockerfile {{path}} liegt außerhalb des Build-Kontexts {{context}}; wählen Sie in den Einstellungen des Projekts einen Kontext, der es enthält.',
  DOCKERFILE_NO_STAGE:
    'Das Dockerfile hat keine Stage {{target}}; korrigieren Sie das Build-Ziel in den Einstellungen des Projekts.',
  DOCKERFILE_IS_LINK: 'Das Dockerfile ist ein symbolischer Link; machen Sie daraus eine normale Datei.',
  DOCKERFILE_TOO_LARGE: 'Das Dockerfile kann nicht gelesen werden: Es ist zu groß.',
  DOCKERFILE_NO_FROM: 'Das Dockerfile hat keine FROM-Anweisung.',
  DOCKERFILE_TOO_MANY_IMAGES: 'Das Dockerfile nennt mehr als {{max}} Images; verwenden Sie weniger.',
  IMAGE_OF_PROJECT:
    'Das Image {{reference}} wurde auf diesem Server für ein Projekt gebaut; verwenden Sie ein Image aus einer Registry.',
  IMAGE_OF_SERVER:
    'Das Image {{reference}} existiert nur auf diesem Server; verwenden Sie ein Image aus einer Registry.',
  IMAGE_HAS_ONBUILD:
    'Das Image {{reference}} enthält ONBUILD-Anweisungen, die hier nicht erlaubt sind; verwenden Sie ein anderes Image.',
  IMAGE_NOT_PULLED:
    'Das Image {{reference}} konnte nicht abgerufen werden: „{{problem}}“. Prüfen Sie den Namen und ob es öffentlich ist.',
  IMAGE_GONE_AGAIN: 'Das Image {{reference}} wurde nach dem Abrufen wieder entfernt; stellen Sie erneut bereit.',
  IMAGE_NOT_SET: 'Das Projekt hat kein Image; legen Sie in seinen Einstellungen eines fest.',
  IMAGE_NOT_FOUND: 'Die Registry {{host}} hat kein Image {{reference}}. Prüfen Sie Name und Tag.',
  IMAGE_NOT_PUBLIC:
    'Das Image {{reference}} existiert nicht oder ist privat. Prüfen Sie den Namen, oder hinterlegen Sie unter „Registries“ die Zugangsdaten für {{host}}.',
  IMAGE_OTHER_PLATFORM:
    'Das Image {{reference}} gibt es nicht für {{platform}}, die Plattform dieses Servers. Veröffentlichen Sie ein Image dafür.',
  REGISTRY_LOGIN_REFUSED:
    'Die Registry {{host}} hat die Zugangsdaten abgelehnt. Prüfen Sie unter „Registries“ Benutzer, Zugangstoken und dessen Rechte.',
  REGISTRY_RATE_LIMITED:
    'Die Registry {{host}} begrenzt, wie oft Images abgefragt werden; hinterlegen Sie Zugangsdaten, oder versuchen Sie es später erneut.',
  REGISTRY_SILENT: 'Die Registry {{host}} hat nicht rechtzeitig geantwortet. Versuchen Sie es später erneut.',
  REGISTRY_NOT_REACHED: 'Die Registry {{host}} ist nicht erreichbar: „{{problem}}“.',
  REGISTRY_ANSWERED: 'Die Registry {{host}} hat mit dem Status {{status}} geantwortet.',
  REGISTRY_REFUSED_ADDRESS:
    'Die Adresse der Registry {{host}} ist privat oder gehört zu diesem Server. Verwenden Sie eine öffentliche Registry, oder bitten Sie einen Administrator, die Adresse zu erlauben.',
  REGISTRY_PRIVATE: 'Die Registry {{host}} hat eine private Adresse; nur öffentliche Registrys sind erlaubt.',
  FILE_TOO_LARGE_TO_READ: '{{path}} ist zu groß zum Lesen; verkleinern Sie die Datei.',
  MANIFESTS_TOO_LARGE: 'Die Manifeste des Repositorys sind zusammen zu groß; verkleinern Sie sie.',
  DEPENDENCY_LIST_TOO_LARGE: '{{path}} ist zu groß für eine Datei, die Abhängigkeiten auflistet.',
  REPOSITORY_TOO_LARGE: 'Das Repository ist größer als {{megabytes}} MiB, das Limit dieses Servers.',
  REPOSITORY_TOO_LARGE_TO_BUILD: 'Das Repository ist zu groß für einen Build auf diesem Server.',
  NOT_JSON: '{{path}} ist kein gültiges JSON: „{{problem}}“',
  NO_JSON_OBJECT: '{{path}} ist kein JSON-Objekt.',
  NOT_TOML: '{{path}} ist kein gültiges TOML: „{{problem}}“',
  NO_NODE_START:
    'package.json hat kein Script „start“, und kein Startbefehl ist gesetzt: Ergänzen Sie eines davon, ein Procfile mit einer Zeile „web:“, eine Datei „main“, eine server.js, index.js oder app.js oder ein Script „build“, das eine statische Website erzeugt.',
  NO_NODE_FILE:
    'Es gibt keine package.json, keine server.js, index.js oder app.js, und kein Startbefehl ist gesetzt: Ergänzen Sie eines davon.',
  NO_PYTHON_START:
    'Für dieses Python-Projekt wurde kein Startbefehl gefunden: Setzen Sie einen (er muss auf 0.0.0.0:$PORT lauschen), oder ergänzen Sie ein Procfile mit einer Zeile „web:“, eine manage.py von Django oder eine app.py, main.py, wsgi.py oder asgi.py mit einer Flask-, FastAPI- oder Starlette-Anwendung.',
  NO_PYTHON_FILE:
    'Das Repository enthält keine Python-Datei; wählen Sie einen anderen Projekttyp, oder setzen Sie einen Startbefehl.',
  NO_PHP_FILE:
    'Das Repository hat keine index.php im Stammverzeichnis, in public/, web/, public_html/ oder htdocs/ und keine composer.json; ergänzen Sie eine, oder wählen Sie einen anderen Projekttyp.',
  NO_DOCUMENT_ROOT:
    'Das Repository hat kein Verzeichnis {{path}} für das Wurzelverzeichnis der Website; korrigieren Sie das Ausgabeverzeichnis in den Einstellungen des Projekts.',
  NO_SITE:
    'Im Stammverzeichnis, in public/, dist/, build/ oder _site/ des Repositorys wurde keine index.html gefunden, und es gibt nichts zu bauen: Ergänzen Sie eine oder ein Script „build“ in package.json, oder setzen Sie einen Build-Befehl.',
  NO_SITE_THERE:
    'In {{path}} liegt keine index.html; korrigieren Sie das Ausgabeverzeichnis in den Einstellungen des Projekts.',
  NO_WORDPRESS:
    'Im Repository wurde kein WordPress gefunden: Es muss den WordPress-Core, ein Verzeichnis wp-content oder ein Theme enthalten (style.css mit „Theme Name:“).',
  OTHER_PLATFORM:
    'Der Adapter dieses SvelteKit-Projekts baut für eine andere Plattform: Verwenden Sie in svelte.config.js @sveltejs/adapter-node für einen Server oder @sveltejs/adapter-static für eine Website.',
  GIT_OUT_OF_MEMORY:
    'Das Lesen des Repositorys braucht mehr Arbeitsspeicher als die {{gibibytes}} GiB, die Git hier verwenden darf. Die wahrscheinliche Ursache ist ein sehr großer Commit, Verzeichnisbaum oder eine sehr große Datei in der Historie.',
  GIT_HOST_KEY:
    'Der SSH-Host-Schlüssel des Git-Servers ist unbekannt, daher wurde nichts gesendet. Bitten Sie einen Administrator, ihn bei den SSH-Host-Schlüsseln in der Konfiguration dieses Servers zu ergänzen.',
  GIT_KEY_REFUSED:
    'Der Git-Server hat den SSH-Schlüssel abgelehnt: Fügen Sie dem Repository den Deploy-Schlüssel des Projekts hinzu und versuchen Sie es erneut.',
  GIT_PRIVATE:
    'Das Repository existiert nicht oder ist privat. Verwenden Sie für ein privates Repository seine git@-Adresse und fügen Sie ihm den Deploy-Schlüssel des Projekts hinzu.',
  GIT_NOT_FOUND: 'Das Repository wurde nicht gefunden. Prüfen Sie die Adresse.',
  GIT_NOT_FOUND_BY_SSH:
    'Das Repository wurde nicht gefunden. Prüfen Sie die Adresse und fügen Sie dem Repository den Deploy-Schlüssel des Projekts hinzu.',
  GIT_NO_BRANCH: 'Das Repository hat keinen Branch „{{branch}}“.',
  GIT_REDIRECTS:
    'Der Git-Server leitet an eine andere Adresse weiter; Weiterleitungen werden nicht befolgt. Verwenden Sie die aktuelle Adresse des Repositorys (es wurde vielleicht umbenannt).',
  GIT_NAME_UNKNOWN: 'Der Hostname des Git-Servers konnte nicht aufgelöst werden.',
  GIT_TIMED_OUT: 'Der Git-Server hat nicht rechtzeitig geantwortet.',
  GIT_NOT_REACHED: 'Der Git-Server ist nicht erreichbar.',
  GIT_NOT_TRUSTED: 'Das TLS-Zertifikat des Git-Servers ist nicht vertrauenswürdig.',
  GIT_SERVER_ERROR: 'Der Git-Server meldet einen internen Fehler; versuchen Sie es später erneut.',
  GIT_DISK_FULL: 'Der Speicherplatz dieses Servers ist voll.',
  GIT_PROTOCOL: 'Nur https-, http- und ssh-URLs sind erlaubt.',
  GIT_BAD_OBJECTS: 'Das Repository enthält ungültige Objekte (git fsck).',
  GIT_BROKEN_OFF: 'Der Git-Server hat die Verbindung geschlossen.',
  GIT_FAILED: 'Git konnte das Repository nicht abrufen: „{{problem}}“.',
  GIT_GAVE_NO_REASON: 'Git konnte das Repository nicht abrufen und nannte keinen Grund.',
  GIT_TOO_LARGE: 'Das Repository ist größer als das Limit von {{limit}}.',
  GIT_TOO_SLOW: 'Der Git-Server brauchte länger als das Limit von {{seconds}} s.',
  GIT_TOO_MANY_MESSAGES: 'Der Git-Server hat zu viele Meldungen gesendet.',
  GIT_CANCELLED: 'Das Abrufen wurde abgebrochen.',
  GIT_NOT_ON_BRANCH:
    'Der Commit {{commit}} ist nicht auf dem Branch {{branch}} oder liegt weit hinter dessen HEAD: Er wurde möglicherweise durch einen Force-Push entfernt oder gehört zu einem anderen Branch oder Fork. Es wurde nichts gebaut; bauen Sie stattdessen den HEAD des Branches.',
  GIT_MESSAGE_TOO_LONG: 'Die Commit-Nachricht ist zu lang.',
  GIT_INCOMPLETE: 'Das abgerufene Repository ist unvollständig; versuchen Sie es erneut.',
  GIT_TOO_MANY_FILES: 'Der Commit {{commit}} hat zu viele Dateien.',
  GIT_COMMIT_MISSING: 'Der Commit {{commit}} fehlt im abgerufenen Repository.',
  GIT_BUSY: 'Dieses Repository wird bereits abgerufen; versuchen Sie es gleich erneut',
  GIT_EMPTY: 'Das Repository hat noch keine Branches: Pushen Sie einen',
  GIT_NEEDS_KEY:
    'Diese Adresse erfordert einen Deploy-Schlüssel: Erzeugen Sie ihn in den Projekteinstellungen und fügen Sie ihn bei Ihrem Git-Anbieter hinzu',
  GIT_NEEDS_KEY_OF_PROJECT:
    'Diese Adresse erfordert einen Deploy-Schlüssel: Erzeugen Sie ihn in einem Projekt, fügen Sie ihn bei Ihrem Git-Anbieter hinzu und geben Sie das Projekt an',
  NOTHING_FETCHED:
    'Das Repository wurde noch nicht abgerufen: Starten Sie einen Build, oder verbinden Sie das Repository.',
  NOT_CONNECTED: 'Es ist kein Repository verbunden: Verbinden Sie eines.',
  REFERENCE_UNKNOWN:
    'Die Variable {{key}} verweist auf {{reference}}, das nicht gefunden wurde. Verweise nennen eine Variable des Projekts oder eine Gruppe oder Datenbank, die zu ihm gehört; schreiben Sie $ vor den Verweis, um ihn als Text zu verwenden.',
  REFERENCE_CIRCULAR: 'Die Variable {{key}} verweist über {{reference}} auf sich selbst; lösen Sie den Kreis auf.',
  REFERENCE_AMBIGUOUS:
    'Die Variable {{key}} verweist auf {{reference}}, aber mehrere Gruppen oder Datenbanken des Projekts haben diesen Namen; benennen Sie eine um oder trennen Sie eine.',
  REFERENCE_TOO_DEEP:
    'Die Variable {{key}} verweist über mehr als {{max}} Schritte auf andere, beginnend mit {{reference}}.',
  REFERENCE_INVALID:
    'Die Variable {{key}} enthält {{reference}}, was kein Verweis ist. Verweise nennen KEY, gruppe.KEY oder datenbank.url; schreiben Sie $ davor, um es als Text zu verwenden.',
  VARIABLE_TOO_LONG: 'Der Wert der Variable {{key}} ist mit dem, worauf er verweist, länger als {{kibibytes}} KiB.',
  VARIABLES_TOO_LARGE:
    'Die Variablen des Projekts sind mit denen seiner Gruppen und dem, worauf sie verweisen, zusammen größer als {{kibibytes}} KiB. Legen Sie große Werte in Dateien ab.',
  SECRET_BUILD_ARGUMENT:
    'Das Dockerfile deklariert {{keys}} mit ARG, aber Build-Argumente bleiben in der Historie des Images, und diese Variablen sind geheim und nur für den Build. Ist ein Wert nicht geheim, schalten Sie das Maskieren für ihn aus; ersetzen Sie das ARG sonst durch RUN --mount=type=secret, das es unter Debian 13 gibt.',
  IMAGE_NOT_KEPT: 'Das Image dieser Bereitstellung wird nicht mehr aufbewahrt',
  UPLOAD_NOT_KEPT:
    'Der hochgeladene Ordner dieser Bereitstellung wird nicht mehr aufbewahrt. Laden Sie ihn erneut hoch.',
  ACCOUNT_GONE: 'Das Konto dieses Projekts wurde gelöscht',
  NO_HOST_NAME: 'Für dieses Projekt ist kein Hostname verfügbar; benennen Sie es um',
  NOT_HTTP:
    'Der Container nimmt auf Port {{port}} Verbindungen an, antwortete aber innerhalb von {{seconds}} s nicht per HTTP. Spricht die Anwendung kein HTTP, stellen Sie das im Healthcheck des Projekts ein',
  NOT_LISTENING:
    'Der Container wurde nicht bereit: Er nahm innerhalb von {{seconds}} s auf Port {{port}} keine Verbindung an; er muss auf 0.0.0.0 und dem Port in $PORT lauschen',
  NOT_HEALTHY:
    'Der Container wurde innerhalb von {{seconds}} s nicht gesund: GET {{path}} wurde mit {{status}} statt {{expected}} beantwortet; prüfen Sie das Log des Containers oder den Healthcheck in den Einstellungen des Projekts',
  NOT_HEALTHY_SILENT:
    'Der Container wurde innerhalb von {{seconds}} s nicht gesund: GET {{path}} auf Port {{port}} wurde nicht innerhalb von {{timeout}} s beantwortet',
  NO_ANSWER:
    'Der Container wurde nicht bereit: Er antwortete innerhalb von {{seconds}} s nicht per HTTP auf Port {{port}}; er muss auf 0.0.0.0 und dem Port in $PORT lauschen',
  RELEASE_FAILED:
    'Der Release-Befehl endete mit Exit-Code {{exitCode}}, daher geht dieses Release nicht live. Seine Ausgabe steht im Log.',
  RELEASE_OUT_OF_MEMORY:
    'Dem Release-Befehl ging der Arbeitsspeicher aus, daher geht dieses Release nicht live. Verringern Sie den Speicherbedarf, oder geben ' +
    'Sie dem Projekt in seinen Einstellungen eine größere Größe.',
  RELEASE_CONTAINER_GONE:
    'Der Container des Release-Befehls wurde entfernt, während er lief, daher geht dieses Release nicht live. Stellen Sie erneut bereit.',
  MACHINE_LOST:
    'Die Maschine {{machine}} hat während der Bereitstellung nicht mehr geantwortet. Die vorherige Version antwortet weiter. Stellen Sie erneut bereit: Das Projekt läuft dann auf anderen Maschinen.',
  NO_MACHINE: 'Das Projekt hat keine Maschine, auf der es laufen kann: „{{reason}}“.',
  NO_PROXY_POOL:
    'Dieser Server hat bereits {{count}} Projekte mit mehreren Instanzen. Stellen Sie dieses Projekt auf eine Instanz, und stellen Sie es ' +
    'erneut bereit.',
  CONTAINER_GONE: 'Der Container wurde nicht bereit: Er wurde entfernt',
  OUT_OF_MEMORY:
    'Der Container wurde nicht bereit: Der Arbeitsspeicher reichte nicht aus; verringern Sie seinen Speicherbedarf, oder geben Sie dem ' +
    'Projekt in seinen Einstellungen eine größere Größe',
  EXITED: 'Der Container wurde nicht bereit: Er endete mit Exit-Code {{exitCode}}',
  EXITED_AND_RESTARTED: 'Der Container wurde nicht bereit: Er endete mit Exit-Code {{exitCode}} und wird neu gestartet',
  RESTARTED: 'Der Container wurde nicht bereit: Er ist abgestürzt und wurde neu gestartet'
}
