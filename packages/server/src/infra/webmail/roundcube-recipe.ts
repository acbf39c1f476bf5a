import { apt, baseRecipe, isoWeek, type Recipe } from '../base-images/recipe.ts'
import { command, copy, dockerfile, env, from, runShell } from '../image-builder/dockerfile.render.ts'
import { ownRole } from '../own-container/own-container.ts'
import {
  activityPhp,
  apacheConf,
  configPhp,
  filesDirectory,
  phpIni,
  pluginPhp,
  stateDirectory
} from './roundcube-files.render.ts'

export const webmailRole = 'webmail'

/** The week in the environment invalidates the layer cache, so that packages are updated weekly. */
export const roundcubeRecipe = (now: Date): Recipe => ({
  reference: 'panel-webmail:trixie',
  isOwn: true,
  takesHostNode: false,
  labels: ownRole(webmailRole),
  dockerfile: dockerfile(
    from(baseRecipe.reference),
    env({ PANEL_IMAGE_WEEK: isoWeek(now), PHP_INI_SCAN_DIR: `:${filesDirectory}/php` }),
    apt('apache2', 'libapache2-mod-php', 'roundcube-core', 'roundcube-sqlite3', 'roundcube-plugins', 'php-zip'),
    // A new volume copies this directory with its owner.
    runShell(
      `install -d -o 65533 -g 65533 -m 0700 ${stateDirectory} ${stateDirectory}/temp && ` +
        'rm -rf /etc/roundcube/config.inc.php /etc/roundcube/debian-db.php'
    ),
    copy('config.inc.php', '/etc/roundcube/config.inc.php'),
    copy('panel.php', '/var/lib/roundcube/plugins/panel/panel.php'),
    copy('activity.php', `${filesDirectory}/panel/activity.php`),
    copy('apache.conf', `${filesDirectory}/apache.conf`),
    copy('panel.ini', `${filesDirectory}/php/panel.ini`),
    // Fail the build on syntax errors.
    runShell(
      `php -l /etc/roundcube/config.inc.php && php -l /var/lib/roundcube/plugins/panel/panel.php && php -l ${filesDirectory}/panel/activity.php && ` +
        `apache2 -t -f ${filesDirectory}/apache.conf`
    ),
    command(['apache2', '-f', `${filesDirectory}/apache.conf`, '-D', 'FOREGROUND'])
  ),
  files: {
    'config.inc.php': configPhp,
    'panel.php': pluginPhp,
    'activity.php': activityPhp,
    'apache.conf': apacheConf,
    'panel.ini': phpIni
  }
})
