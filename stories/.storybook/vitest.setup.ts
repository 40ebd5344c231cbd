import { setProjectAnnotations } from '@storybook/react-vite'
import * as preview from './preview.js'

setProjectAnnotations([preview])
