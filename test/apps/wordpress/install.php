<?php
/** Installs WordPress with the recipe activated, and an author who may not write arbitrary HTML. */

function extract_zip( $name, $folder ) {
	$zip = new ZipArchive();
	$zip->open( "/tmp/$name.zip" );
	$zip->extractTo( $folder );
}

extract_zip( 'wordpress', '/wordpress' );
extract_zip( 'sqlite', '/wordpress/wp-content' );
$driver = '/wordpress/wp-content/sqlite-database-integration-main';
$drop_in = str_replace( '{SQLITE_IMPLEMENTATION_FOLDER_PATH}', $driver, file_get_contents( "$driver/db.copy" ) );
file_put_contents( '/wordpress/wp-content/db.php', $drop_in );

require '/wordpress/wp-load.php';
require ABSPATH . 'wp-admin/includes/plugin.php';
activate_plugin( 'page-preview/page-preview.php' );

$author = wp_insert_user(
	array( 'user_login' => 'author', 'user_pass' => 'author', 'user_email' => 'author@example.com', 'role' => 'author' )
);
update_user_meta( $author, 'wp_persisted_preferences', array( 'core/edit-post' => array( 'welcomeGuide' => false ) ) );
// Both would send requests to other hosts, or needless ones to this host.
update_option( 'show_avatars', '' );
update_site_option( 'can_compress_scripts', 0 );
