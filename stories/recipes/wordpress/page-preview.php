<?php
/**
 * Plugin Name: Page preview block
 * Description: A card of a page, with a real screenshot.
 */

add_action( 'init', function () {
	$dependencies = array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components' );
	wp_register_script( 'page-preview-block', plugins_url( 'block.js', __FILE__ ), $dependencies, '1' );
	register_block_type( __DIR__ );
} );

add_action( 'wp_enqueue_scripts', function () {
	wp_enqueue_script( 'page-preview', 'https://previews.example.com/page-preview.js', array(), null, array( 'strategy' => 'async' ) );
} );

// Without this, WordPress removes the element from the posts of authors who may not use arbitrary HTML.
add_filter( 'wp_kses_allowed_html', function ( $tags, $context ) {
	$preview = array( 'page-preview' => array( 'url' => true, 'screenshot' => true ) );
	return 'post' === $context ? $tags + $preview : $tags;
}, 10, 2 );
