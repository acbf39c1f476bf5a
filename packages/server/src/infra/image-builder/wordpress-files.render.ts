import { apacheWithPhp, phpFolder, phpSettings, withoutPhp } from './php-server.render.ts'

/** The complete Apache configuration of WordPress, with the modules that the base image enables. */
export const apacheConfiguration = String.raw`IncludeOptional /etc/apache2/mods-enabled/*.load
IncludeOptional /etc/apache2/mods-enabled/*.conf
${apacheWithPhp}DocumentRoot /var/www/html
<Directory />
  Options FollowSymLinks
  AllowOverride None
  Require all denied
</Directory>
<Directory /var/www/html>
  ${phpFolder}
  RewriteEngine On
  RewriteBase /
  RewriteRule ^index\.php$ - [L]
  RewriteCond %{REQUEST_FILENAME} !-f
  RewriteCond %{REQUEST_FILENAME} !-d
  RewriteRule . /index.php [L]
</Directory>
<Directory /var/www/html/wp-content/uploads>
  AllowOverride None
  ${withoutPhp}
</Directory>
<FilesMatch "(?i)^\.(?!well-known)|^wp-config\.|\.sql(\.\w+)?$|^debug\.log$">
  Require all denied
</FilesMatch>
<DirectoryMatch "/\.(?!well-known)">
  Require all denied
</DirectoryMatch>
`

/** For a read-only root file system. Uploads are buffered among the site's files: /tmp is container memory. */
export const phpConfiguration = `session.save_path = /tmp
upload_tmp_dir = /var/www/html/.panel-tmp
auto_prepend_file = /usr/local/lib/panel/prepend.php
${phpSettings}`
