import 'vite/client'
