#!/bin/sh
# Entry point of the image "web". Copies the assets of this release to the folder assets, a volume that also
# contains assets of earlier releases. Then executes the command in the arguments, which starts Caddy.
set -eu
cd "${BOOST50_HOME:-/opt/boost50}"
mkdir -p assets

# Visitors may still have pages of the previous release open. The loop gives the assets of that release today's
# date, so the command "find" below keeps these assets for another week.
if [ -f assets/.latest ]; then
  while read -r file; do touch -c "assets/$file"; done < assets/.latest
fi
cp -R current/web/assets/. assets/
(cd current/web/assets && find . -type f) > assets/.latest
find assets -type f -mtime +7 -exec rm {} +

exec "$@"
