# syntax=docker/dockerfile:1

FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/server/package.json ./src/server/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY src ./src
# The build makes the page about errors from the one of the documentation.
COPY stories/docs ./stories/docs
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
# The headless shell is twice as fast as the whole browser; the fonts are what emoji, Chinese, Japanese and Korean need.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
      chromium-headless-shell fonts-liberation fonts-noto-cjk fonts-noto-color-emoji tini \
 && rm -rf /var/lib/apt/lists/* \
 && fc-cache --force \
 && install --directory --owner=node --group=node --mode=700 /data

WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/src/server/package.json ./src/server/
COPY --from=build /app/src/server/dist ./src/server/dist
RUN ln -s /app/src/server/dist/commands/page-preview-server.js /usr/local/bin/page-preview-server

ENV NODE_ENV=production \
    PAGE_PREVIEW_HOST=0.0.0.0 \
    PAGE_PREVIEW_PORT=3000 \
    PAGE_PREVIEW_PRO_PORT=3001 \
    PAGE_PREVIEW_DATA_DIR=/data \
    PAGE_PREVIEW_BROWSER=/usr/bin/chromium-headless-shell

# Chromium's own sandbox is on, for this user is not root; it needs user namespaces. What Docker forbids by default is given
# back, and nothing else, by: --security-opt seccomp=seccomp.json (compose.yaml does so). Where the host itself forbids them
# (kernel.unprivileged_userns_clone=0, or user.max_user_namespaces=0), allow them there. Without them the browser still
# runs, inside the container's walls alone, and the log says "browser-sandbox-unavailable".
USER node
VOLUME /data
EXPOSE 3000 3001

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PAGE_PREVIEW_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# tini buries the processes that a killed browser leaves behind, and hands SIGTERM on.
ENTRYPOINT ["tini", "--", "page-preview-server"]
CMD ["serve"]
