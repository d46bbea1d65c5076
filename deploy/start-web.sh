#!/bin/sh
# The entry point of the image "web": puts the hashed assets of this release beside those of earlier ones, which lie on a
# volume, and then becomes the command that it was given.
set -eu
cd "${BOOST50_HOME:-/opt/boost50}"
mkdir -p assets

# Those of the release that went were in use until now: they stay for a week from here.
if [ -f assets/.latest ]; then
  while read -r file; do touch -c "assets/$file"; done < assets/.latest
fi
cp -R current/web/assets/. assets/
(cd current/web/assets && find . -type f) > assets/.latest
find assets -type f -mtime +7 -exec rm {} +

exec "$@"
